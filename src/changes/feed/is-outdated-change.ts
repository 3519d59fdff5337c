import type { ChangeReadContext } from './change-source.ts'

/** The tolerated difference between a system's clock and ours. Accounting may date to the day in its own time zone. */
const CLOCK_TOLERANCE_MS = 2 * 86_400_000

/** Returns whether an unknown resource may have changed after the feed began. Older changes cause no events. */
export const isNewSinceBaseline = (
  time: string | null,
  { isBaseline, feedBeganAt }: Pick<ChangeReadContext, 'isBaseline' | 'feedBeganAt'>,
): boolean => !isBaseline && !(Date.parse(time ?? '') < Date.parse(feedBeganAt) - CLOCK_TOLERANCE_MS)

/** Returns whether a row is older than the stored state, by the system's clock. A stored time in the future is a clock error and is ignored. */
export const isOlderThanKnown = (time: string, known: { at: string }, { at }: Pick<ChangeReadContext, 'at'>): boolean =>
  Date.parse(time) < Date.parse(known.at) && Date.parse(known.at) <= Date.parse(at)

/** Limits the effect of a clock that was set back. */
const MAX_READ_MS = 120_000

/** Returns whether the stored state is from a later read. Concurrent reads of a resource may finish in either order. */
export function isSupersededRead(
  known: { checkedAt: string } | undefined,
  { calledAt }: Pick<ChangeReadContext, 'calledAt'>,
): boolean {
  const aheadMs = Date.parse(known?.checkedAt ?? '') - Date.parse(calledAt)
  return aheadMs > 0 && aheadMs < MAX_READ_MS
}
