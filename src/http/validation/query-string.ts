import { unescape as percentDecoded } from 'node:querystring'

const ENCODED = /[%+]/

const decoded = (text: string) => (ENCODED.test(text) ? percentDecoded(text.replaceAll('+', ' ')) : text)

/** By its place in what is read: the text, or all of them where a list is declared. */
type Found = (string | string[] | undefined)[]

/** Reads declared parameters alone, each by its place; of a repeated one the last counts, unless it is declared as a list. */
export function createQueryReader(
  declared: readonly { name: string; list?: boolean | undefined }[],
): (query: string) => Found {
  const places = new Map(declared.map(({ name, list }, place) => [name, { place, list }]))
  return (query) => {
    const found = new Array<string | string[] | undefined>(declared.length).fill(undefined)
    for (let from = 0; from < query.length; ) {
      const mark = query.indexOf('&', from)
      const to = mark < 0 ? query.length : mark
      readPair(query.slice(from, to), places, found)
      from = to + 1
    }
    return found
  }
}

function readPair(
  pair: string,
  places: Map<string, { place: number; list?: boolean | undefined }>,
  found: Found,
): void {
  const equals = pair.indexOf('=')
  const at = places.get(decoded(equals < 0 ? pair : pair.slice(0, equals)))
  if (!at) return
  const text = equals < 0 ? '' : decoded(pair.slice(equals + 1))
  if (!at.list) found[at.place] = text
  else {
    const before = found[at.place] as string[] | undefined
    if (before) before.push(text)
    else found[at.place] = [text]
  }
}
