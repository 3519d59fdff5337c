/** A JSON syntax error in Python's words; `position` is an index into the text. */
export interface JsonSyntaxError {
  message: string
  position: number
}

/**
 * Returns Python's error message for a text that JSON.parse rejected, and its position in code points. One pass with an explicit
 * stack: neither depth nor length can overflow it. NaN and Infinity, which Python accepts, are errors here.
 */
export function findJsonSyntaxError(text: string): JsonSyntaxError {
  const { message, position } = findFirstError(text)
  return { message, position: position - countSurrogatePairs(text, position) }
}

type OpenContainer = '{' | '['

function findFirstError(text: string): JsonSyntaxError {
  const open: OpenContainer[] = []
  let at = skipJsonWhitespace(text, 0)
  for (;;) {
    const next = scanValue(text, at, open)
    if (typeof next !== 'number') return next
    at = next
  }
}

/** Scans one value, or the opening of one. Returns where the next value begins. */
function scanValue(text: string, at: number, open: OpenContainer[]): number | JsonSyntaxError {
  const mark = text[at]
  if (mark === '[' || mark === '{') {
    const inside = skipJsonWhitespace(text, at + 1)
    if (text[inside] === (mark === '[' ? ']' : '}')) return scanAfterValue(text, inside + 1, open)
    open.push(mark)
    return mark === '[' ? inside : scanKey(text, inside)
  }
  const end = mark === '"' ? findStringEnd(text, at) : findScalarEnd(text, at)
  return typeof end === 'number' ? scanAfterValue(text, end, open) : end
}

/** Closes the containers that end here, and skips the comma before the next value. */
function scanAfterValue(text: string, from: number, open: OpenContainer[]): number | JsonSyntaxError {
  let at = skipJsonWhitespace(text, from)
  while (open.length > 0 && text[at] === (open.at(-1) === '[' ? ']' : '}')) {
    open.pop()
    at = skipJsonWhitespace(text, at + 1)
  }
  const inside = open.at(-1)
  if (inside === undefined) return createJsonSyntaxError('Extra data', at)
  if (text[at] !== ',') return createJsonSyntaxError("Expecting ',' delimiter", at)
  const next = skipJsonWhitespace(text, at + 1)
  return inside === '[' ? next : scanKey(text, next)
}

function scanKey(text: string, at: number): number | JsonSyntaxError {
  if (text[at] !== '"') return createJsonSyntaxError('Expecting property name enclosed in double quotes', at)
  const end = findStringEnd(text, at)
  if (typeof end !== 'number') return end
  const colon = skipJsonWhitespace(text, end)
  return text[colon] === ':'
    ? skipJsonWhitespace(text, colon + 1)
    : createJsonSyntaxError("Expecting ':' delimiter", colon)
}

/** Python counts a character outside the basic plane once, JavaScript twice. */
function countSurrogatePairs(text: string, end: number): number {
  let pairs = 0
  for (let at = 1; at < end; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) pairs += 1
  }
  return pairs
}

const createJsonSyntaxError = (message: string, position: number): JsonSyntaxError => ({ message, position })

function skipJsonWhitespace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n' || text[at] === '\r') at += 1
  return at
}

const SCALAR = /null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Returns the index after the literal or number at `from`. */
function findScalarEnd(text: string, from: number): number | JsonSyntaxError {
  SCALAR.lastIndex = from
  return SCALAR.test(text) ? SCALAR.lastIndex : createJsonSyntaxError('Expecting value', from)
}

/** Returns the index after the string whose opening quote is at `quote`. */
function findStringEnd(text: string, quote: number): number | JsonSyntaxError {
  let at = quote + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return createJsonSyntaxError('Invalid control character at', at)
    const next = code === 0x5c ? findEscapeEnd(text, at) : at + 1
    if (typeof next !== 'number') return next
    if (next < 0) break
    at = next
  }
  return createJsonSyntaxError('Unterminated string starting at', quote)
}

/** Returns the index after the escape whose backslash is at `from`; -1 when the text ends there. */
function findEscapeEnd(text: string, from: number): number | JsonSyntaxError {
  const letter = text[from + 1]
  if (letter === undefined) return -1
  if (letter !== 'u') return '"\\/bfnrt'.includes(letter) ? from + 2 : createJsonSyntaxError('Invalid \\escape', from)
  const isComplete = from + 6 < text.length && isHex(text, from + 2)
  return isComplete ? from + 6 : createJsonSyntaxError('Invalid \\uXXXX escape', from + 1)
}

function isHex(text: string, from: number): boolean {
  return /^[0-9a-fA-F]{4}$/.test(text.slice(from, from + 4))
}
