/**
 * Returns a value that PostgreSQL can store: without NUL and lone surrogates. A call with them would always fail, and
 * count against the system.
 */
export function stripUnstorableCharacters<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T
  if (Array.isArray(value)) return value.map(stripUnstorableCharacters) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, stripUnstorableCharacters(member)]),
  ) as T
}
