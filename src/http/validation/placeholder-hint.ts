/** What a path has in place of a value when a variable is not set, or a name was not replaced. Each is safe in a header. */
const PLACEHOLDER =
  /^(?:undefined|null|NaN|\[object Object\]|\{[\w-]{1,32}\}|\$\{?[\w.]{1,32}\}?|:[a-z]\w{0,31}|<[\w-]{1,32}>)$/
/** In a query, `null` may be a word of a search. */
const UNSET = /^(?:undefined|NaN|\[object Object\])$/
const UNSET_IN_QUERY = /=(?:undefined|NaN|(?:%5B|\[)object(?:%20|\+| )Object(?:%5D|\]))(?:&|$)/
const SURROUNDED = /^\s|\s$/
/** An escape that is left after decoding. */
const ESCAPED = /%(?:2[0-9A-F]|[3-7][0-9A-F])/

/** Returns a text for the header `Forecourt-Hint` about a parameter of the path that has a placeholder in place of its value, or is written wrongly. */
export function hintAtPathPlaceholder(params: Readonly<Record<string, string>>): string | null {
  const entries = Object.entries(params)
  const found = entries.find(([, value]) => PLACEHOLDER.test(value))
  if (found) return `The path has ${found[1]} in place of the ${found[0]}: is the variable with the ${found[0]} set?`
  const surrounded = entries.find(([, value]) => SURROUNDED.test(value))?.[0]
  if (surrounded) return `The ${surrounded} in the path begins or ends with a space. Trim it.`
  const escaped = entries.find(([, value]) => ESCAPED.test(value))
  return escaped
    ? `The ${escaped[0]} in the path has ${ESCAPED.exec(escaped[1])![0]}: is it encoded twice? Call encodeURIComponent only once.`
    : null
}

/** Returns the same about a parameter of the query. */
export function hintAtQueryPlaceholder(query: string): string | null {
  if (!UNSET_IN_QUERY.test(query)) return null
  const [name, value] = [...new URLSearchParams(query)].find(([, value]) => UNSET.test(value)) ?? []
  if (name === undefined || !/^[\w.[\]-]{1,32}$/.test(name)) return null
  return `The query parameter "${name}" is ${value}: is the variable with its value set? Omit a parameter without a value.`
}
