import { createKnownNameSuggestion } from './known-name-suggestion.ts'

/**
 * Creates the check of a route's query parameters. Unknown ones are ignored, so a misspelled filter would silently return the whole catalog.
 * Of a repeated one, the last value counts. The check returns a text for the header `Forecourt-Hint`, or `null` if no unknown parameter
 * resembles a known one, and none is repeated. `lists`: the parameters that may be repeated.
 */
export function createParameterHint(
  known: readonly string[],
  lists: readonly string[],
): (query: string) => string | null {
  const declared = new Set(known)
  const repeatable = new Set(lists)
  const suggest = createKnownNameSuggestion(known)
  return (query) => {
    if (query === '' || declared.size === 0) return null
    const seen = new Set<string>()
    for (const pair of query.split('&', 50)) {
      const [written = ''] = pair.split('=', 1)
      const name = written.replace('%5B', '[').replace('%5D', ']')
      if (seen.has(name) && !repeatable.has(name))
        return `The query parameter "${name}" was sent more than once. Only its last value is used.`
      if (declared.has(name)) seen.add(name)
      if (declared.has(name)) continue
      const remedy = describeRemedy(name, suggest(name))
      if (remedy) return `The query parameter "${name}" is unknown and was ignored. ${remedy}`
    }
    return null
  }
}

/** What a name alone does not say. */
const REMEDIES: Readonly<Record<string, string>> = {
  availability: ' Its values are IN_STOCK, LOW, OUT and LEAD_TIME.',
  offset: ' It counts rows, not pages. The pagination of each response has the next one as next_offset.',
  since: ' Send the next_since of the last response.',
  sort: ' With a minus sign, it sorts downwards: sort=-price.',
  vehicle_id: ' GET /v1/vehicles/models lists the values.',
}

/** What no parameter does here. */
const NOT_OFFERED: Readonly<Record<string, string>> = {
  currency: 'Prices are in the currency of the merchant.',
  expand: 'A response always has all its members.',
  fields: 'A response always has all its members.',
  include: 'A response always has all its members.',
  language: 'Texts are in the language of the merchant.',
  locale: 'Texts are in the language of the merchant.',
  order: 'The order of this list is fixed.',
  sort: 'The order of this list is fixed.',
}

function describeRemedy(name: string, similar: string | null): string | undefined {
  if (similar !== null) return `Did you mean "${similar}"?${REMEDIES[similar] ?? ''}`
  return Object.hasOwn(NOT_OFFERED, name) ? NOT_OFFERED[name] : undefined
}
