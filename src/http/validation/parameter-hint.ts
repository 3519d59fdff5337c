import { createSuggestion } from './known-name-suggestion.ts'

/**
 * Creates the check of a route's unknown query parameters. They are ignored, so a misspelled filter would silently return the whole
 * catalog. The check returns a text for the header `Forecourt-Hint`, or `null` if none resembles a known parameter.
 */
export function createParameterHint(known: readonly string[]): (query: string) => string | null {
  const declared = new Set(known)
  const suggest = createSuggestion(known)
  return (query) => {
    if (query === '' || declared.size === 0) return null
    for (const pair of query.split('&', 50)) {
      const [written = ''] = pair.split('=', 1)
      const name = written.replace('%5B', '[').replace('%5D', ']')
      if (declared.has(name)) continue
      const similar = suggest(name)
      if (similar) return `The query parameter "${name}" is unknown and was ignored. Did you mean "${similar}"?`
    }
    return null
  }
}
