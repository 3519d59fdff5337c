import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { randomBase62 } from '../../../src/security/base62.ts'
import { sha256Hex } from '../../../src/security/sha256.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { type ApiServerProcess, startApiServer } from '../../crash/api-server-process.ts'
import { runCommand } from '../../support/command.ts'
import type { OdooLogin } from '../../support/odoo/connect-odoo.ts'
import { type Reply, sendHttpRequest } from '../../support/send-http-request.ts'
import type { Login } from '../../support/tryton/connect-tryton.ts'

export interface ForecourtProcessOptions {
  erp: Login | OdooLogin
  processes?: number
  /** Lines of the file before `merchants:`. Without a `deadline_ms`, the deadline is the maximum. */
  settings?: readonly string[]
  /** Lines of the merchant. */
  merchant?: readonly string[]
  timeoutMs?: number
  store?: string
}

/** `forecourt serve` over a Tryton or an Odoo, as a merchant runs it: a short configuration file, a password in the environment, live keys. */
export interface ForecourtProcess extends AsyncDisposable {
  servers: ApiServerProcess[]
  db: Database
  keys: { publishable: string; secret: string }
  /** Sends a request with the secret key. */
  ask(
    method: string,
    path: string,
    more?: { body?: unknown; token?: string; headers?: Record<string, string> },
  ): Promise<Reply>
  /** Returns the token of a signed-in shopper. */
  shopper(customerId: string): Promise<string>
  /** Returns the log of the processes. */
  log(): Promise<string>
}

export async function startForecourtProcess(options: ForecourtProcessOptions): Promise<ForecourtProcess> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-live-'))
  stack.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }))
  const file = join(directory, 'forecourt.yaml')
  const store = options.store ?? `sqlite:${join(directory, 'forecourt.db')}`
  await writeFile(file, formatMerchantFile(options, directory, store))
  const env = {
    ERP_PASSWORD: 'apiKey' in options.erp ? options.erp.apiKey : options.erp.password,
    FORECOURT_DATA: directory,
  }
  const servers: ApiServerProcess[] = []
  for (let n = options.processes ?? 1; n > 0; n -= 1) {
    const server = await startApiServer(file, directory, env)
    stack.defer(() => server.stop())
    servers.push(server)
  }
  const db = await openDatabase(store)
  stack.defer(() => db.destroy())
  const keys = { publishable: await issued(file, env, 'publishable'), secret: await issued(file, env, 'secret') }
  const held = stack.move()
  let asked = 0
  return {
    servers,
    db,
    keys,
    ask(method, path, { body, token, headers = {} } = {}) {
      const shopper = token === undefined ? {} : { 'x-storefront-shopper-token': token }
      const server = servers[asked++ % servers.length]!
      return sendHttpRequest(server.address, path, {
        method,
        body,
        headers: { authorization: `Bearer ${keys.secret}`, ...shopper, ...headers },
      })
    },
    shopper: (customerId) => signedIn(db, customerId),
    log: () => readFile(join(directory, 'forecourt.log'), 'utf8'),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/** The configuration file of the README. */
export function formatMerchantFile(
  { erp, settings = [], merchant = [], timeoutMs = 50_000 }: ForecourtProcessOptions,
  directory: string,
  store: string,
) {
  return `${[
    `store: "${store}"`,
    `log: { file: ${directory}/forecourt.log }`,
    // No deadline is exceeded on a slow machine, unless a test sets one.
    ...(settings.some((line) => line.startsWith('deadline_ms')) ? [] : ['deadline_ms: 60000']),
    ...settings,
    'merchants:',
    '  spares:',
    '    name: Blue Mountain Motor Spares',
    '    currency: JMD',
    '    time_zone: America/Jamaica',
    ...merchant.map((line) => `    ${line}`),
    '    sandbox: {}',
    '    live:',
    '      inventory: &erp',
    `        address: ${erp.address}`,
    ...('apiKey' in erp ? formatOdooLines(erp) : formatTrytonLines(erp)),
    `        limits: { timeout_ms: ${timeoutMs}, concurrency: 4 }`,
    '      pricing: *erp',
    '      accounting: *erp',
  ].join('\n')}\n`
}

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the file's own way to name the environment */
const formatOdooLines = ({ database, user }: OdooLogin) => [
  '        adapter: odoo',
  '        api_key: "${ERP_PASSWORD}"',
  ...(database ? [`        database: ${database}`] : []),
  ...(user ? [`        user: ${user}`] : []),
]

const formatTrytonLines = ({ database, user }: Login) => [
  '        adapter: tryton',
  `        database: ${database}`,
  `        user: ${user}`,
  '        password: "${ERP_PASSWORD}"',
  '        brand_attribute: brand',
  '        mpn_attribute: mpn',
]
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the file's own way to name the environment */

async function issued(file: string, env: Record<string, string>, kind: 'publishable' | 'secret'): Promise<string> {
  const origins = kind === 'publishable' ? ['--origins', 'https://shop.example'] : []
  const who = ['--merchant', 'spares', '--kind', kind, '--mode', 'live', ...origins]
  const args = ['keys', 'issue', ...who, '--rate', '1000000', '--config', file, '--json']
  const { code, out, err } = await runCommand(args, { cwd: env.FORECOURT_DATA!, env })
  expect(code, err).to.equal(0)
  return JSON.parse(out).key
}

async function signedIn(db: Database, customerId: string): Promise<string> {
  const token = randomBase62(43)
  const times = { created_at: '2026-01-01T00:00:00.000Z', expires_at: '2999-01-01T00:00:00.000Z' }
  const owner = { tenant_id: 'spares', mode: 'live' as const, customer_id: customerId }
  await db
    .insertInto('shopper_sessions')
    .values({ digest: sha256Hex(token), ...owner, ...times })
    .execute()
  return token
}
