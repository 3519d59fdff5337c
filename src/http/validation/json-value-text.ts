/** Finds the text of a value by its location; `undefined` when there is none, or when it is longer than `maxLength`. */
export type JsonValueTextFinder = (loc: readonly (string | number)[], maxLength: number) => string | undefined

/** Creates a finder for a text that JSON.parse accepts. Each container is read once, and only as far as its values are requested. */
export function createJsonValueTextFinder(text: string): JsonValueTextFinder {
  const known = new Map<number, ContainerReader>()
  const readerAt = (at: number): ContainerReader => {
    const reader = known.get(at) ?? createContainerReader(text, at)
    known.set(at, reader)
    return reader
  }
  return (loc, maxLength) => {
    let at: number | undefined = skipWhitespace(text, 0)
    for (const key of loc) {
      if (at !== undefined) at = readerAt(at)(key)
    }
    if (at === undefined) return undefined
    const end = findValueEnd(text, at, at + maxLength)
    return end > at + maxLength ? undefined : text.slice(at, end)
  }
}

/** Returns where a member or an item starts. */
type ContainerReader = (key: string | number) => number | undefined

function createContainerReader(text: string, open: number): ContainerReader {
  const starts = new Map<string | number, number>()
  const members = iterateMembers(text, open)
  return (key) => {
    // As in JSON.parse, the last member of a name counts: an object is read to its end.
    while (typeof key === 'string' || !starts.has(key)) {
      const { value, done } = members.next()
      if (done) break
      starts.set(...value)
    }
    return starts.get(key)
  }
}

function* iterateMembers(text: string, open: number): Generator<[key: string | number, at: number], undefined> {
  const isList = text[open] === '['
  if (!isList && text[open] !== '{') return
  let at = skipWhitespace(text, open + 1)
  for (let index = 0; text[at] !== ']' && text[at] !== '}'; index += 1) {
    let key: string | number = index
    if (!isList) {
      const end = findStringEnd(text, at)
      key = JSON.parse(text.slice(at, end)) as string
      at = skipWhitespace(text, skipWhitespace(text, end) + 1)
    }
    yield [key, at]
    at = skipWhitespace(text, findValueEnd(text, at))
    if (text[at] === ',') at = skipWhitespace(text, at + 1)
  }
}

/** Returns the index after the value at `from`, or an index beyond `until` when the value is longer. */
function findValueEnd(text: string, from: number, until = text.length): number {
  let depth = 0
  let at = from
  do {
    const mark = text[at]!
    if (mark === '"') at = findStringEnd(text, at)
    else {
      if (mark === '[' || mark === '{') depth += 1
      else if (mark === ']' || mark === '}') depth -= 1
      at += 1
    }
  } while (at <= until && (depth > 0 || !SCALAR_ENDS.has(text[at])))
  return at
}

/** The character after a value; `undefined` at the end of the text. */
const SCALAR_ENDS: ReadonlySet<string | undefined> = new Set([',', ']', '}', ' ', '\t', '\n', '\r', undefined])

function findStringEnd(text: string, quote: number): number {
  let at = quote + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function skipWhitespace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n' || text[at] === '\r') at += 1
  return at
}
