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
      const similar = suggest(name)
      if (similar) return `The query parameter "${name}" is unknown and was ignored. Did you mean "${similar}"?`
    }
    return null
  }
}
