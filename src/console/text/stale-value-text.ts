import { sectionFreshnessLimits } from '../../upstream/read-stack/section-freshness-limits.ts'
import { formatDuration } from './format-durations.ts'
import { formatNumber } from './format-numbers.ts'

/** Until a value of this kind must be read again. */
const formatLimit = (kind: 'stock' | 'price' | 'product' | 'tax') => {
  const { freshMs, staleMs } = sectionFreshnessLimits[kind]
  return formatDuration(freshMs + staleMs)
}

/** Says by which limit a value counts as older. */
export const STALE_VALUE_HINT = `A value counts as older when Forecourt had to read it again and could not, so that shoppers got the one before. It must be read again after a change, or at the latest after a time: stock after ${formatLimit('stock')}, prices after ${formatLimit('price')}, products after ${formatLimit('product')}, tax rates after ${formatLimit('tax')}. What is read from a mirror has another limit: the maximum age of a part, which Mirrors shows.`

/**
 * Says how many of the degraded responses had an older value in place of the section, and how many had none. Empty: none had one, or that
 * is unknown (`null`).
 */
export function describeStaleCount(responses: number, stale: number | null): string {
  if (stale === null || stale === 0) return ''
  const missing = Math.max(0, responses - stale)
  if (missing === 0) return 'with an older value'
  return `${formatNumber(stale)} with an older value, ${formatNumber(missing)} without one`
}
