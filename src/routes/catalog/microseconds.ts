/** Returns a time, as validation returns it, in microseconds since the epoch. */
export function toMicroseconds(time: string): number {
  const [, fraction = ''] = /\.(\d+)Z$/.exec(time) ?? []
  return Math.max(0, Date.parse(`${time.slice(0, 19)}Z`) * 1_000 + Number(fraction.padEnd(6, '0')))
}

/** Returns microseconds since the epoch as RFC 3339. */
export function fromMicroseconds(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000)
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}.${String(micros - seconds * 1_000_000).padStart(6, '0')}Z`
}
