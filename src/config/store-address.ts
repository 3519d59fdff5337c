/** Whether a store is PostgreSQL; otherwise it is `sqlite:<path>`. */
export const isPostgres = (store: string) => /^postgres(ql)?:\/\//.test(store)

/** A store as people may read it: without password and parameters. */
export function redactStoreAddress(store: string): string {
  if (!isPostgres(store)) return store
  const { protocol, username, host, pathname } = new URL(store)
  return `${protocol}//${username && `${username}@`}${host}${pathname}`
}

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** What a PostgreSQL's URL may set, by libpq's names. */
const TIME_LIMITS = { connect_timeout: 'seconds', statement_timeout: 'milliseconds' }

/** What is wrong with the address of a PostgreSQL, in words that repeat nothing of it: a password may stand anywhere in a broken one. */
export function findStoreAddressMistake(store: string): { mistake: string; remedy: string } | null {
  if (!isPostgres(store)) return null
  const remedy = 'Give postgres://user:password@host:5432/database'
  if (!URL.canParse(store)) return { mistake: 'not a URL', remedy: `${remedy}, each part percent-encoded` }
  const url = new URL(store)
  if (url.hash !== '' || url.pathname.includes('@'))
    return { mistake: 'has a #, / or ? in its password', remedy: `${remedy}, each part percent-encoded` }
  if (url.hostname === '' && !url.searchParams.has('host')) return { mistake: 'names no host', remedy }
  if (!/^\/[^/]+$/.test(url.pathname)) return { mistake: 'names no database', remedy }
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode))
    return { mistake: 'has an sslmode that there is not', remedy: `Use one of ${SSL_MODES.join(', ')}` }
  for (const [name, unit] of Object.entries(TIME_LIMITS)) {
    const limit = url.searchParams.get(name)
    if (limit !== null && !/^[1-9]\d{0,8}$/.test(limit))
      return { mistake: `has a ${name} that is no time`, remedy: `Give a whole number of ${unit}, from 1 on` }
  }
  return null
}
