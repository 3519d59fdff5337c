/** What is wrong with a text as JSON: the words are Python's, the position is an index into the text. */
export interface JsonSyntaxError {
  message: string
  position: number
}

export const createJsonSyntaxError = (message: string, position: number): JsonSyntaxError => ({ message, position })

export function skipJsonWhitespace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n' || text[at] === '\r') at += 1
  return at
}

const SCALAR = /null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** The index behind the literal or number at `from`. */
export function findScalarEnd(text: string, from: number): number | JsonSyntaxError {
  SCALAR.lastIndex = from
  return SCALAR.test(text) ? SCALAR.lastIndex : createJsonSyntaxError('Expecting value', from)
}

/** The index behind the string whose opening quote is at `quote`. */
export function findStringEnd(text: string, quote: number): number | JsonSyntaxError {
  let at = quote + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return createJsonSyntaxError('Invalid control character at', at)
    const next = code === 0x5c ? escapeEnd(text, at) : at + 1
    if (typeof next !== 'number') return next
    if (next < 0) break
    at = next
  }
  return createJsonSyntaxError('Unterminated string starting at', quote)
}

/** The index behind the escape whose backslash is at `from`; -1 when the text ends there. */
function escapeEnd(text: string, from: number): number | JsonSyntaxError {
  const letter = text[from + 1]
  if (letter === undefined) return -1
  if (letter !== 'u') return '"\\/bfnrt'.includes(letter) ? from + 2 : createJsonSyntaxError('Invalid \\escape', from)
  const complete = from + 6 < text.length && isHex(text, from + 2)
  return complete ? from + 6 : createJsonSyntaxError('Invalid \\uXXXX escape', from + 1)
}

function isHex(text: string, from: number): boolean {
  return /^[0-9a-fA-F]{4}$/.test(text.slice(from, from + 4))
}
