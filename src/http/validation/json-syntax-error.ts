import { afterSpace, type JsonMistake, mistake, scalarEnd, stringEnd } from './json-scan.ts'

/**
 * What Python's json says about a text that JSON.parse refused, and where, counted in code points. One pass with a
 * stack of its own: neither depth nor length can overflow it. NaN and Infinity, which Python reads, are mistakes here.
 */
export function jsonMistake(text: string): JsonMistake {
  const { message, position } = firstMistake(text)
  return { message, position: position - pairsBefore(text, position) }
}

type Open = '{' | '['

function firstMistake(text: string): JsonMistake {
  const open: Open[] = []
  let at = afterSpace(text, 0)
  for (;;) {
    const next = readValue(text, at, open)
    if (typeof next !== 'number') return next
    at = next
  }
}

/** Reads one value, or the opening of one, and goes on to where the next value begins. */
function readValue(text: string, at: number, open: Open[]): number | JsonMistake {
  const mark = text[at]
  if (mark === '[' || mark === '{') {
    const inside = afterSpace(text, at + 1)
    if (text[inside] === (mark === '[' ? ']' : '}')) return afterValue(text, inside + 1, open)
    open.push(mark)
    return mark === '[' ? inside : readKey(text, inside)
  }
  const end = mark === '"' ? stringEnd(text, at) : scalarEnd(text, at)
  return typeof end === 'number' ? afterValue(text, end, open) : end
}

/** Closes what ends here, and steps over the comma to the next value. */
function afterValue(text: string, from: number, open: Open[]): number | JsonMistake {
  let at = afterSpace(text, from)
  while (open.length > 0 && text[at] === (open.at(-1) === '[' ? ']' : '}')) {
    open.pop()
    at = afterSpace(text, at + 1)
  }
  const inside = open.at(-1)
  if (inside === undefined) return mistake('Extra data', at)
  if (text[at] !== ',') return mistake("Expecting ',' delimiter", at)
  const next = afterSpace(text, at + 1)
  return inside === '[' ? next : readKey(text, next)
}

function readKey(text: string, at: number): number | JsonMistake {
  if (text[at] !== '"') return mistake('Expecting property name enclosed in double quotes', at)
  const end = stringEnd(text, at)
  if (typeof end !== 'number') return end
  const colon = afterSpace(text, end)
  return text[colon] === ':' ? afterSpace(text, colon + 1) : mistake("Expecting ':' delimiter", colon)
}

/** Python counts a character outside the basic plane once, JavaScript twice. */
function pairsBefore(text: string, end: number): number {
  let pairs = 0
  for (let at = 1; at < end; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) pairs += 1
  }
  return pairs
}
