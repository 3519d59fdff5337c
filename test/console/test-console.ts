import { argon2Sync, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { pino } from 'pino'
import type { OperationsConfig } from '../../src/config/config.ts'
import type { ConsolePage } from '../../src/console/console-page.ts'
import { createClientAddresses } from '../../src/http/access/client-addresses.ts'
import { createReadiness, type Readiness } from '../../src/operations/readiness.ts'
import { startConsole } from '../../src/runtime/console-listener.ts'
import type { Database } from '../../src/storage/database.ts'
import { addOperator, type OperatorRecord, type OperatorRole } from '../../src/storage/operators/operator-accounts.ts'
import { CHEAP_PASSWORD } from '../support/cheap-password.ts'
import { type HttpRequestOptions, type Reply, sendHttpRequest } from '../support/send-http-request.ts'

export const PASSWORD = 'correct horse battery'

/** All test accounts share one password. */
const HASH = hashPassword(PASSWORD)

export function hashPassword(message: string): string {
  const [nonce, base64] = [randomBytes(16), (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')]
  const tag = argon2Sync('argon2id', { message, nonce, tagLength: 32, ...CHEAP_PASSWORD })
  return `$argon2id$v=19$m=8,t=1,p=1$${base64(nonce)}$${base64(tag)}`
}

/** The browser of a signed-in operator. */
export interface OperatorBrowser {
  cookie: string
  csrf: string
}

export interface TestConsole extends AsyncDisposable {
  address: string
  readiness: Readiness
  clock: { ms: number }
  logLines: string[]
  addOperator(name: string, role?: OperatorRole): Promise<OperatorRecord>
  request(path: string, options?: HttpRequestOptions): Promise<Reply>
  /** Sends a form with the Origin header of this console. */
  postForm(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Reply>
  signIn(name: string, password?: string): Promise<Reply>
  /** Adds an account and signs it in. */
  signInAs(name: string, role?: OperatorRole): Promise<OperatorBrowser>
  get(browser: OperatorBrowser, path: string, headers?: Record<string, string>): Promise<Reply>
  /** Sends a form with the CSRF token of the session. */
  submit(browser: OperatorBrowser, path: string, form?: Record<string, string>): Promise<Reply>
}

export async function startTestConsole(
  db: Database,
  pages: readonly ConsolePage[] | ((parts: { db: Database; now: () => number }) => readonly ConsolePage[]),
  config: Partial<OperationsConfig> = {},
  trustedProxies?: string[],
): Promise<TestConsole> {
  const clock = { ms: Date.parse('2026-11-21T14:05:00.000Z') }
  const now = () => clock.ms
  const logLines: string[] = []
  const readiness = createReadiness()
  const listening = await startConsole({
    config: { host: '127.0.0.1', port: 0, metrics: false, ...config },
    apiUrl: 'https://api.example',
    clients: createClientAddresses({ trustedProxies }),
    db,
    store: { outage: null },
    merchants: [],
    readiness,
    now,
    // The machine may be slow.
    storeWaitMs: 60_000,
    passwordCost: CHEAP_PASSWORD,
    pages: typeof pages === 'function' ? pages({ db, now }) : pages,
    metrics: { text: async () => 'forecourt_up 1\n' },
    logger: pino({ level: 'debug' }, { write: (line) => void logLines.push(line) }),
  })
  const { address } = listening
  const request = (path: string, options?: HttpRequestOptions) => sendHttpRequest(address, path, options)

  const postForm = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: address, ...headers },
      body: new URLSearchParams(form).toString(),
    })
  const signIn = (name: string, password = PASSWORD) => postForm('/sign-in', { name, password })
  const get: TestConsole['get'] = ({ cookie }, path, headers = {}) => request(path, { headers: { cookie, ...headers } })

  async function addTestOperator(name: string, role: OperatorRole = 'operator') {
    const operator = await addOperator(db, { name, role, passwordHash: HASH }, clock.ms)
    expect(operator).to.not.equal(null)
    return operator!
  }

  return {
    address,
    readiness,
    clock,
    logLines,
    addOperator: addTestOperator,
    request,
    postForm,
    signIn,
    get,
    async signInAs(name, role) {
      await addTestOperator(name, role)
      const cookie = toCookieHeader(await signIn(name))
      const rows = await db.selectFrom('operator_sessions').select('csrf').orderBy('created_at', 'desc').execute()
      const { text } = await get({ cookie, csrf: '' }, '/missing')
      const csrf = /name="csrf" value="(\w+)"/.exec(text)?.[1]
      expect(rows.map((row) => row.csrf)).to.include(csrf)
      return { cookie, csrf: csrf! }
    },
    submit: ({ cookie, csrf }, path, form = {}) => postForm(path, { csrf, ...form }, { cookie }),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

/** Returns the Cookie header that a browser sends after a sign-in. */
export function toCookieHeader({ status, headers }: Reply): string {
  expect(status, 'signed in').to.equal(303)
  const setCookie = headers['set-cookie']?.find((cookie) => cookie.startsWith('forecourt_operations='))
  expect(setCookie, 'Set-Cookie').to.match(/^forecourt_operations=[0-9A-Za-z]{43}; /)
  return setCookie!.split(';')[0]!
}
