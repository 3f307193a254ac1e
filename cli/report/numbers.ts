/** Numbers for people; the same on every machine, whatever its language. */

/** `1,745,408` */
export const grouped = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')

/** `12.3 s`, `4 min 10 s` */
export function seconds(milliseconds: number): string {
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`
  const whole = Math.round(milliseconds / 1000)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** `512 MiB` */
export const mebibytes = (bytes: number): string => `${grouped(Math.ceil(bytes / 2 ** 20))} MiB`

/** `1 state`, `2 states` */
export const counted = (value: number, noun: string): string =>
  `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`
