/** Returns `1000` for `1_000`. Returns undefined without an underscore, and where Python allows none: `_1`, `1_`, `1__0`. */
export function stripDigitSeparators(text: string): string | undefined {
  if (!text.includes('_') || text.startsWith('_') || text.endsWith('_') || text.includes('__')) return undefined
  return text.replaceAll('_', '')
}
