import { formatNumber } from './format-numbers.ts'

/**
 * Says how many of the degraded responses had an older value in place of the section, and how many had none. Empty: none had one, or that
 * is unknown (`null`).
 */
export function describeOlderCount(responses: number, stale: number | null): string {
  if (stale === null || stale === 0) return ''
  const missing = Math.max(0, responses - stale)
  if (missing === 0) return 'with an older value'
  return `${formatNumber(stale)} with an older value, ${formatNumber(missing)} without one`
}
