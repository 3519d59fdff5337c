import {
  createJsonSyntaxError,
  findScalarEnd,
  findStringEnd,
  type JsonSyntaxError,
  skipJsonWhitespace,
} from './json-scan.ts'

/**
 * What Python's json says about a text that JSON.parse refused, and where, counted in code points. One pass with a
 * stack of its own: neither depth nor length can overflow it. NaN and Infinity, which Python reads, are mistakes here.
 */
export function findJsonSyntaxError(text: string): JsonSyntaxError {
  const { message, position } = firstMistake(text)
  return { message, position: position - pairsBefore(text, position) }
}

type Open = '{' | '['

function firstMistake(text: string): JsonSyntaxError {
  const open: Open[] = []
  let at = skipJsonWhitespace(text, 0)
  for (;;) {
    const next = readValue(text, at, open)
    if (typeof next !== 'number') return next
    at = next
  }
}

/** Reads one value, or the opening of one, and goes on to where the next value begins. */
function readValue(text: string, at: number, open: Open[]): number | JsonSyntaxError {
  const mark = text[at]
  if (mark === '[' || mark === '{') {
    const inside = skipJsonWhitespace(text, at + 1)
    if (text[inside] === (mark === '[' ? ']' : '}')) return afterValue(text, inside + 1, open)
    open.push(mark)
    return mark === '[' ? inside : readKey(text, inside)
  }
  const end = mark === '"' ? findStringEnd(text, at) : findScalarEnd(text, at)
  return typeof end === 'number' ? afterValue(text, end, open) : end
}

/** Closes what ends here, and steps over the comma to the next value. */
function afterValue(text: string, from: number, open: Open[]): number | JsonSyntaxError {
  let at = skipJsonWhitespace(text, from)
  while (open.length > 0 && text[at] === (open.at(-1) === '[' ? ']' : '}')) {
    open.pop()
    at = skipJsonWhitespace(text, at + 1)
  }
  const inside = open.at(-1)
  if (inside === undefined) return createJsonSyntaxError('Extra data', at)
  if (text[at] !== ',') return createJsonSyntaxError("Expecting ',' delimiter", at)
  const next = skipJsonWhitespace(text, at + 1)
  return inside === '[' ? next : readKey(text, next)
}

function readKey(text: string, at: number): number | JsonSyntaxError {
  if (text[at] !== '"') return createJsonSyntaxError('Expecting property name enclosed in double quotes', at)
  const end = findStringEnd(text, at)
  if (typeof end !== 'number') return end
  const colon = skipJsonWhitespace(text, end)
  return text[colon] === ':'
    ? skipJsonWhitespace(text, colon + 1)
    : createJsonSyntaxError("Expecting ':' delimiter", colon)
}

/** Python counts a character outside the basic plane once, JavaScript twice. */
function pairsBefore(text: string, end: number): number {
  let pairs = 0
  for (let at = 1; at < end; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) pairs += 1
  }
  return pairs
}
