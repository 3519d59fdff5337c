const HOUR_MS = 3_600_000

/** What may be looked at, and in what steps. */
export const ranges = {
  '1h': { name: '1 hour', ms: HOUR_MS, step: 'minute' },
  '6h': { name: '6 hours', ms: 6 * HOUR_MS, step: 'minute' },
  '24h': { name: '24 hours', ms: 24 * HOUR_MS, step: 'minute' },
  '7d': { name: '7 days', ms: 7 * 24 * HOUR_MS, step: 'hour' },
  '30d': { name: '30 days', ms: 30 * 24 * HOUR_MS, step: 'hour' },
} as const

export type Range = keyof typeof ranges

export const rangeOf = (text: string | null): Range =>
  text !== null && Object.hasOwn(ranges, text) ? (text as Range) : '1h'
