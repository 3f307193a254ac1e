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

/** `1-3, 5, 8-9`, of numbers in order. */
export function numberRanges(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const number of numbers) {
    const range = ranges.at(-1)
    if (range !== undefined && range[1] + 1 === number) range[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
}
