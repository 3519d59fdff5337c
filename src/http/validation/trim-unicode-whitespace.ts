/** Unicode White_Space, as Rust trims it: with U+0085 and without U+FEFF, the reverse of JavaScript. */
const WHITESPACE = new Set('\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000')
for (let code = 0x2000; code <= 0x200a; code += 1) WHITESPACE.add(String.fromCharCode(code))

/** A loop, because the regular expression `[spaces]+$` takes quadratic time on a long run of spaces before a letter. */
export function trimUnicodeWhitespace(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && WHITESPACE.has(text[from]!)) from += 1
  while (to > from && WHITESPACE.has(text[to - 1]!)) to -= 1
  return text.slice(from, to)
}
