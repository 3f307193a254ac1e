/** Whether what is installed is what the lock file asks for. */

/**
 * Compares the packages of the lock file with those of npm's own record of what it installed; file times say nothing
 * after a checkout. Packages for other platforms are optional and may be absent.
 *
 * @typedef {Record<string, { version?: string, optional?: boolean }>} Packages
 * @param {Packages} wanted
 * @param {Packages} installed
 * @returns {string | undefined} a reason to install, if there is one
 */
export function reasonToInstall(wanted, installed) {
  for (const [path, { version, optional }] of Object.entries(wanted)) {
    if (path === '') continue
    const found = installed[path]
    if (found === undefined && !optional) return `${path} is not installed`
    if (found !== undefined && found.version !== version) return `${path} is ${found.version}, not ${version}`
  }
  return undefined
}
