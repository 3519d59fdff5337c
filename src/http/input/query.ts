import { unescape as percentDecoded } from 'node:querystring'

const ENCODED = /[%+]/

const decoded = (text: string) => (ENCODED.test(text) ? percentDecoded(text.replaceAll('+', ' ')) : text)

/** Reads declared parameters alone, each by its place in `names`; of a repeated one the last counts. */
export function queryReader(names: readonly string[]): (query: string) => (string | undefined)[] {
  const places = new Map(names.map((name, place) => [name, place]))
  return (query) => {
    const found = new Array<string | undefined>(names.length).fill(undefined)
    for (let from = 0; from < query.length; ) {
      const mark = query.indexOf('&', from)
      const to = mark < 0 ? query.length : mark
      readPair(query.slice(from, to), places, found)
      from = to + 1
    }
    return found
  }
}

function readPair(pair: string, places: Map<string, number>, found: (string | undefined)[]): void {
  const equals = pair.indexOf('=')
  const place = places.get(decoded(equals < 0 ? pair : pair.slice(0, equals)))
  if (place !== undefined) found[place] = equals < 0 ? '' : decoded(pair.slice(equals + 1))
}
