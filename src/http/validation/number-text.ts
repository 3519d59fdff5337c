/** Unicode White_Space, as Rust trims it: U+0085 belongs to it, U+FEFF does not; JavaScript has it the other way round. */
const SPACES = new Set('\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000')
for (let code = 0x2000; code <= 0x200a; code += 1) SPACES.add(String.fromCharCode(code))

/** Not a regular expression: `[spaces]+$` takes quadratic time on a long run of spaces with a letter behind it. */
export function trimUnicodeWhitespace(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && SPACES.has(text[from]!)) from += 1
  while (to > from && SPACES.has(text[to - 1]!)) to -= 1
  return text.slice(from, to)
}

/** `1_000` is a number, `_1`, `1_` and `1__0` are not. Undefined when there is nothing to strip, or when it may not be. */
export function stripDigitSeparators(text: string): string | undefined {
  if (!text.includes('_') || text.startsWith('_') || text.endsWith('_') || text.includes('__')) return undefined
  return text.replaceAll('_', '')
}
