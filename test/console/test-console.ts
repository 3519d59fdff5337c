import { argon2Sync, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { pino } from 'pino'
import type { OperationsConfig } from '../../src/config/config.ts'
import type { ConsolePage } from '../../src/console/console-page.ts'
import { createReadiness, type Readiness } from '../../src/operations/readiness.ts'
import { startConsole } from '../../src/runtime/console-setup.ts'
import type { Database } from '../../src/storage/database.ts'
import { addOperator, type OperatorRecord, type OperatorRole } from '../../src/storage/operators/operator-accounts.ts'
import { type ExchangeOptions, exchange, type Reply } from '../support/http-exchange.ts'

export const PASSWORD = 'correct horse battery'

/** Every account of the tests has one password, whose hash costs next to nothing. */
const HASH = hashPassword(PASSWORD)

export function hashPassword(message: string): string {
  const [nonce, base64] = [randomBytes(16), (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')]
  const tag = argon2Sync('argon2id', { message, nonce, tagLength: 32, memory: 8, passes: 1, parallelism: 1 })
  return `$argon2id$v=19$m=8,t=1,p=1$${base64(nonce)}$${base64(tag)}`
}

export interface OperatorSeat {
  cookie: string
  csrf: string
}

export interface TestConsole extends AsyncDisposable {
  address: string
  readiness: Readiness
  clock: { ms: number }
  /** Lines that were logged. */
  log: string[]
  add(name: string, role?: OperatorRole): Promise<OperatorRecord>
  ask(path: string, sent?: ExchangeOptions): Promise<Reply>
  /** A form, as a browser sends it from a page of ours. */
  post(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Reply>
  signIn(name: string, password?: string): Promise<Reply>
  /** An account that has signed in. */
  seat(name: string, role?: OperatorRole): Promise<OperatorSeat>
  /** A page of somebody who has signed in. */
  read(seat: OperatorSeat, path: string, headers?: Record<string, string>): Promise<Reply>
  act(seat: OperatorSeat, path: string, form?: Record<string, string>): Promise<Reply>
}

export async function startTestConsole(
  db: Database,
  pages: readonly ConsolePage[] | ((of: { db: Database; now: () => number }) => readonly ConsolePage[]),
  config: Partial<OperationsConfig> = {},
): Promise<TestConsole> {
  const clock = { ms: Date.parse('2026-11-21T14:05:00.000Z') }
  const now = () => clock.ms
  const log: string[] = []
  const readiness = createReadiness()
  const listening = await startConsole({
    config: { host: '127.0.0.1', port: 0, metrics: false, ...config },
    ...{ db, readiness, now, pages: typeof pages === 'function' ? pages({ db, now }) : pages },
    metrics: { text: async () => 'forecourt_up 1\n' },
    logger: pino({ level: 'debug' }, { write: (line) => void log.push(line) }),
  })
  const { address } = listening
  const ask = (path: string, sent?: ExchangeOptions) => exchange(address, path, sent)

  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: address, ...headers },
      body: new URLSearchParams(form).toString(),
    })
  const signIn = (name: string, password = PASSWORD) => post('/sign-in', { name, password })
  const read: TestConsole['read'] = ({ cookie }, path, headers = {}) => ask(path, { headers: { cookie, ...headers } })

  async function add(name: string, role: OperatorRole = 'operator') {
    const added = await addOperator(db, { name, role, passwordHash: HASH }, clock.ms)
    expect(added).to.not.equal(null)
    return added!
  }

  return {
    ...{ address, readiness, clock, log, add, ask, post, signIn, read },
    async seat(name, role) {
      await add(name, role)
      const cookie = toCookieHeader(await signIn(name))
      const row = db.selectFrom('operator_sessions').select('csrf').orderBy('created_at', 'desc')
      const { text } = await read({ cookie, csrf: '' }, '/missing')
      const csrf = /name="csrf" value="(\w+)"/.exec(text)?.[1]
      expect((await row.execute()).map((each) => each.csrf)).to.include(csrf)
      return { cookie, csrf: csrf! }
    },
    act: ({ cookie, csrf }, path, form = {}) => post(path, { csrf, ...form }, { cookie }),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

/** What a browser sends back. */
export function toCookieHeader({ status, headers }: Reply): string {
  expect(status, 'signed in').to.equal(303)
  const set = headers['set-cookie']?.find((each) => each.startsWith('forecourt_operations='))
  expect(set, 'Set-Cookie').to.match(/^forecourt_operations=[0-9A-Za-z]{43}; /)
  return set!.split(';')[0]!
}
