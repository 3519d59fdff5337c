import { isPostgres } from '../store-address.ts'

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
