/** Tests whether a store is PostgreSQL; otherwise it is `sqlite:<path>`. */
export const isPostgres = (store: string) => /^postgres(ql)?:\/\//.test(store)

/** Returns whether other servers may use the store: on PostgreSQL any number of them, on SQLite the workers of one primary process. */
export const isSharedStore = ({ store, workers }: { store: string; workers?: number }): boolean =>
  isPostgres(store) || workers !== undefined

/** Returns a store's URL without password and parameters. */
export function redactStoreAddress(store: string): string {
  if (!isPostgres(store)) return store
  const { protocol, username, host, pathname } = new URL(store)
  return `${protocol}//${username && `${username}@`}${host}${pathname}`
}

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** libpq's parameters for timeouts, with their units. */
const TIMEOUT_PARAMETERS = { connect_timeout: 'seconds', statement_timeout: 'milliseconds' }

/** Finds what is wrong with the URL of a PostgreSQL. The message repeats nothing of it: a malformed URL may contain a password anywhere. */
export function findStoreAddressMistake(store: string): { mistake: string; remedy: string } | null {
  if (!isPostgres(store)) return null
  const remedy = 'Give postgres://user:password@host:5432/database'
  if (!URL.canParse(store)) return { mistake: 'is not a valid URL', remedy: `${remedy}, each part percent-encoded` }
  const url = new URL(store)
  if (url.hash !== '' || url.pathname.includes('@'))
    return {
      mistake: 'contains an unencoded #, / or ? in its password',
      remedy: `${remedy}, each part percent-encoded`,
    }
  if (url.hostname === '' && !url.searchParams.has('host')) return { mistake: 'has no host', remedy }
  if (!/^\/[^/]+$/.test(url.pathname)) return { mistake: 'has no database', remedy }
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode))
    return { mistake: 'has an unknown sslmode', remedy: `Use one of ${SSL_MODES.join(', ')}` }
  for (const [name, unit] of Object.entries(TIMEOUT_PARAMETERS)) {
    const limit = url.searchParams.get(name)
    if (limit !== null && !/^[1-9]\d{0,8}$/.test(limit))
      return { mistake: `has an invalid ${name}`, remedy: `Give a whole number of ${unit}, at least 1` }
  }
  return null
}
