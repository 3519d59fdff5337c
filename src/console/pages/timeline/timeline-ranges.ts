const HOUR_MS = 3_600_000

/** The selectable ranges and their steps, from the shortest to the longest. */
export const timelineRanges = {
  '1h': { name: '1 hour', ms: HOUR_MS, step: 'minute' },
  '6h': { name: '6 hours', ms: 6 * HOUR_MS, step: 'minute' },
  '24h': { name: '24 hours', ms: 24 * HOUR_MS, step: 'minute' },
  '7d': { name: '7 days', ms: 7 * 24 * HOUR_MS, step: 'hour' },
  '30d': { name: '30 days', ms: 30 * 24 * HOUR_MS, step: 'hour' },
} as const

export type TimelineRange = keyof typeof timelineRanges

export const readTimelineRange = (text: string | null): TimelineRange =>
  text !== null && Object.hasOwn(timelineRanges, text) ? (text as TimelineRange) : '1h'

/** Returns the shortest range that contains a period of this length with a margin. */
export function chooseTimelineRange(durationMs: number): TimelineRange {
  const ranges = Object.keys(timelineRanges) as TimelineRange[]
  return ranges.find((range) => durationMs < timelineRanges[range].ms * 0.9) ?? '30d'
}
