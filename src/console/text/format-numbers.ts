const groupedFormat = new Intl.NumberFormat('en-GB')

/** Formats a number with separators: `12,345`. */
export const formatNumber = (number: number): string => groupedFormat.format(number)

/** Formats a number with its noun: `1 response`, `12,345 responses`. */
export const formatCount = (number: number, noun: string, plural = `${noun}s`): string =>
  `${formatNumber(number)} ${pluralize(number, noun, plural)}`

/** Returns the form of a noun that goes with a number. */
export const pluralize = (number: number, singular: string, plural = `${singular}s`): string =>
  number === 1 ? singular : plural

/** Formats a share as `99.97 %` with a non-breaking space. It is never rounded to 0 % or 100 %: these stand for none and all. */
export function formatPercent(share: number): string {
  if (share <= 0) return '0\u00a0%'
  if (share >= 1) return '100\u00a0%'
  const percent = Math.min(99.99, Math.max(0.01, share * 100))
  return `${percent >= 10 && percent < 99.9 ? percent.toFixed(1) : percent.toFixed(2)}\u00a0%`
}
