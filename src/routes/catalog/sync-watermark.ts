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

/** A mirror's watermark is the only one with microseconds. */
const MICROSECONDS = /\.\d{6}Z$/
/** A change that a mirror had not noticed at its watermark is no older than this: systems may fail, and changes arrive late, for a day. */
const UNNOTICED_MS = 86_400_000

/**
 * Returns where a sync by the systems' own change times begins. A mirror's watermark is the time at which Forecourt noticed a change, which
 * may be later than the change of a row that it noticed afterwards.
 */
export function toSystemSince(since: string): string {
  if (!MICROSECONDS.test(since)) return since
  const start = Math.floor((Date.parse(since) - UNNOTICED_MS) / 1_000) * 1_000
  return new Date(Math.max(0, start)).toISOString().replace('.000Z', 'Z')
}

/** Clocks of a storefront and of Forecourt may differ by this much. */
const CLOCK_TOLERANCE_MS = 60_000

export const isInFuture = (since: string, now: number) => Date.parse(since) > now + CLOCK_TOLERANCE_MS

export const hintAtFutureSince = (since: string | undefined, now: number): string | null =>
  since !== undefined && isInFuture(since, now)
    ? 'updated_since is in the future, so nothing has changed since. Send the watermark of the last page, or an earlier time.'
    : null
