import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Login } from '../../support/tryton/connect-tryton.ts'

/** The working folder of test/support/tryton/tryton.sh. */
export function trytonHome(): string {
  const { FORECOURT_TRYTON: home, TRYTON_SERIES: series = '6.0' } = process.env
  return home ?? join(tmpdir(), series === '6.0' ? 'forecourt-tryton' : `forecourt-tryton-${series}`)
}

/** The logins of the server that test/support/tryton/tryton.sh starts. */
export function trytonAccess(): { storefront: Login; clerk: Login; pidFile: string; series: string } {
  const home = trytonHome()
  const file = join(home, 'env')
  if (!existsSync(file))
    throw new Error(
      `There is no ${file}: start Tryton with "test/support/tryton/tryton.sh start", as root on Debian 12.`,
    )
  const env = parseEnv(readFileSync(file, 'utf8'))
  const at = { address: env.TRYTON_ADDRESS!, database: env.TRYTON_DATABASE! }
  return {
    series: env.TRYTON_SERIES ?? '6.0',
    pidFile: join(home, 'database', 'gunicorn.pid'),
    storefront: { ...at, user: env.TRYTON_USER!, password: env.TRYTON_PASSWORD! },
    clerk: { ...at, user: env.TRYTON_CLERK!, password: env.TRYTON_CLERK_PASSWORD! },
  }
}
