/**
 * Returns where the next sync may begin, so that it misses no change: the newest change on this page at the time the page was read,
 * minus the time by which a back office may make changes visible late, in whole seconds, and never before this call's own
 * `updated_since`. A page with gaps (`newest` 0) does not move it. A row that was refreshed since is ignored: it may be newer than
 * changes that this page does not have.
 */
export function toWatermark(newest: number, since: string, overlapSeconds: number): string {
  const back = Math.floor(newest / 1_000 - overlapSeconds) * 1_000
  return back > Date.parse(since) ? new Date(back).toISOString().replace('.000Z', 'Z') : since
}

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
