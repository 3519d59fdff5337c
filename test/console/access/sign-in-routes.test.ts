import { expect } from 'chai'
import type { ConsolePage } from '../../../src/console/console-page.ts'
import type { Database } from '../../../src/storage/database.ts'
import { listAuditLog } from '../../../src/storage/operators/audit-log.ts'
import { updateOperator, updateOperatorAndEndSessions } from '../../../src/storage/operators/operator-accounts.ts'
import type { Reply } from '../../support/send-http-request.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'
import { hashPassword, PASSWORD, startTestConsole, type TestConsole, toCookieHeader } from '../test-console.ts'

const HOUR_MS = 3_600_000

/** Returns the device cookie that a sign-in has set. */
function readDeviceCookie({ headers }: Reply): string {
  const setCookie = headers['set-cookie']?.find((cookie) => cookie.startsWith('forecourt_browser='))
  expect(setCookie).to.match(/^forecourt_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
  return setCookie!.split(';')[0]!
}

const pages: ConsolePage[] = [
  {
    method: 'GET',
    path: '/',
    role: 'support',
    respond: async ({ operator }) => ({ template: 'error', title: 'Now', view: { message: `Hello ${operator.name}` } }),
  },
  {
    method: 'GET',
    path: '/incidents/:id',
    role: 'support',
    respond: async ({ params }) => ({ json: { incident: params.id } }),
  },
]

for (const store of stores()) {
  describe(`signing in to the operations pages: ${store.name}`, () => {
    let db: Database
    let testConsole: TestConsole

    beforeEach(async () => {
      db = await store.open()
      testConsole = await startTestConsole(db, pages)
    })
    afterEach(async () => {
      await testConsole[Symbol.asyncDispose]()
      await store.close()
    })

    const canRead = async (cookie: string) => (await testConsole.get({ cookie, csrf: '' }, '/')).status === 200

    it('is refused for a host name that is not configured (DNS rebinding)', async () => {
      const { cookie } = await testConsole.signInAs('ada')
      const status = async (host: string, path: string) =>
        (await testConsole.request(path, { headers: { host, cookie } })).status
      const { port } = new URL(testConsole.address)
      for (const host of ['127.0.0.1', `localhost:${port}`, '[::1]:8081', '10.1.2.3'])
        expect(await status(host, '/'), host).to.equal(200)
      for (const host of ['evil.example', `localhost.evil.example:${port}`, '127.0.0.1.evil.example'])
        expect([await status(host, '/'), await status(host, '/sign-in')], host).to.deep.equal([421, 421])
      expect(await status('pod-7.cluster', '/readyz')).to.be.oneOf([200, 503])
    })

    it('redirects to the requested page', async () => {
      await testConsole.addOperator('ada')
      const form = { name: ' Ada ', password: PASSWORD, to: '/incidents/inc_1?from=list' }
      const reply = await testConsole.postForm('/sign-in', form)
      expect([reply.status, reply.headers.location]).to.deep.equal([303, '/incidents/inc_1?from=list'])
      const { status, text } = await testConsole.get({ cookie: toCookieHeader(reply), csrf: '' }, '/')
      expect(status).to.equal(200)
      expect(text).to.include('Hello ada').and.include('<title>Now · Forecourt operations</title>')
    })

    it('stores only the digest of the session, and sets a cookie that no script and no other site gets', async () => {
      await testConsole.addOperator('ada')
      const reply = await testConsole.signIn('ada')
      expect(reply.headers['set-cookie']).to.have.length(2)
      expect(reply.headers['set-cookie']![0]).to.match(
        /^forecourt_operations=\w{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
      )
      const token = toCookieHeader(reply).split('=')[1]!
      const [row] = await db.selectFrom('operator_sessions').selectAll().execute()
      expect(JSON.stringify(row)).to.not.include(token)
      expect(row!.digest).to.match(/^[0-9a-f]{64}$/)
    })

    it('responds alike to a wrong password, an unknown name and a disabled account', async () => {
      const { operator_id } = await testConsole.addOperator('gone')
      await updateOperatorAndEndSessions(db, operator_id, { disabled_at: new Date(testConsole.clock.ms).toISOString() })
      await testConsole.addOperator('ada')
      const replies = [
        await testConsole.signIn('ada', 'wrong'),
        await testConsole.signIn('nobody'),
        await testConsole.signIn('gone'),
        await testConsole.signIn('ada', ''),
        await testConsole.signIn("' or 1=1 --"),
        await testConsole.signIn('\u0000'),
      ]
      for (const { status, headers, text } of replies) {
        expect(status).to.equal(401)
        expect(headers['set-cookie']).to.equal(undefined)
        expect(text).to.include('The name or the password is incorrect.').and.not.include('wrong')
      }
    })

    it('writes successful and refused sign-ins with their address to the audit log', async () => {
      await testConsole.addOperator('ada', 'support')
      await testConsole.signIn('ada', 'wrong')
      testConsole.clock.ms += 1_000
      await testConsole.signIn('ada')
      await testConsole.signIn('nobody')
      await until(
        'the refused sign-in is in the audit log',
        async () => (await listAuditLog(db, { limit: 10 })).length === 2,
      )
      const rows = await listAuditLog(db, { limit: 10 })
      const entries = rows.map(({ operator, role, action, outcome, address }) => [
        operator,
        role,
        action,
        outcome,
        address,
      ])
      expect(entries).to.deep.equal([
        ['ada', 'support', 'sign-in', 'done', '127.0.0.1'],
        ['ada', 'support', 'sign-in', 'refused', '127.0.0.1'],
      ])
      expect(testConsole.logLines.join('')).to.include('was refused').and.not.include(PASSWORD)
    })

    it('ignores a session token from the browser: each sign-in creates a session and ends the one before', async () => {
      await testConsole.addOperator('ada')
      const planted = `forecourt_operations=${'A'.repeat(43)}`
      const form = { name: 'ada', password: PASSWORD }
      const first = toCookieHeader(await testConsole.postForm('/sign-in', form, { cookie: planted }))
      expect(first).to.not.equal(planted)
      expect(await canRead(planted)).to.equal(false)
      const second = toCookieHeader(await testConsole.postForm('/sign-in', form, { cookie: first }))
      expect([await canRead(first), await canRead(second)]).to.deep.equal([false, true])
    })

    it('ends a session 12 hours after the sign-in, even if it is in use', async () => {
      const { cookie } = await testConsole.signInAs('ada')
      for (let half = 0; half < 23; half++) {
        testConsole.clock.ms += HOUR_MS / 2
        expect(await canRead(cookie), `after ${half} half hours`).to.equal(true)
      }
      testConsole.clock.ms += HOUR_MS / 2
      expect(await canRead(cookie)).to.equal(false)
    })

    it('ends a session after an idle hour', async () => {
      const { cookie } = await testConsole.signInAs('ada')
      testConsole.clock.ms += HOUR_MS - 1
      expect(await canRead(cookie)).to.equal(true)
      testConsole.clock.ms += HOUR_MS
      expect(await canRead(cookie)).to.equal(false)
      const ended = 'Your session has ended. Sign in again.'
      expect((await testConsole.get({ cookie, csrf: '' }, '/sign-in')).text).to.include(ended)
      expect((await testConsole.request('/sign-in')).text).to.not.include(ended)
    })

    it('ends sessions when the account is disabled or its password changes', async () => {
      const [ada, ben] = [await testConsole.signInAs('ada'), await testConsole.signInAs('ben')]
      const rows = await db.selectFrom('operators').select(['operator_id', 'name']).execute()
      const idOf = (name: string) => rows.find((row) => row.name === name)!.operator_id
      await updateOperatorAndEndSessions(db, idOf('ada'), { disabled_at: new Date(testConsole.clock.ms).toISOString() })
      expect([await canRead(ada.cookie), await canRead(ben.cookie)]).to.deep.equal([false, true])
      await updateOperator(db, idOf('ada'), { disabled_at: null })
      expect(await canRead(ada.cookie)).to.equal(false)
      await updateOperatorAndEndSessions(db, idOf('ben'), { password_hash: 'another' })
      expect(await canRead(ben.cookie)).to.equal(false)
    })

    it('signs out only with the CSRF token of the session', async () => {
      const browser = await testConsole.signInAs('ada')
      expect((await testConsole.submit({ ...browser, csrf: 'x' }, '/sign-out')).status).to.equal(403)
      expect(await canRead(browser.cookie)).to.equal(true)
      const reply = await testConsole.submit(browser, '/sign-out')
      expect([reply.status, reply.headers.location]).to.deep.equal([303, '/sign-in'])
      expect(reply.headers['set-cookie']![0]).to.match(/^forecourt_operations=; .*Max-Age=0$/)
      expect(await canRead(browser.cookie)).to.equal(false)
    })

    it('refuses a sign-out form of another site, which arrives without the SameSite=Strict cookie', async () => {
      const reply = await testConsole.postForm('/sign-out', {}, { origin: 'https://evil.example' })
      expect([reply.status, reply.headers['set-cookie']]).to.deep.equal([403, undefined])
    })

    it('does not count the polling of a page as activity', async () => {
      const { cookie } = await testConsole.signInAs('ada')
      for (const _ of [1, 2, 3]) {
        testConsole.clock.ms += HOUR_MS / 2
        await testConsole.get({ cookie, csrf: '' }, '/incidents/inc_1', { accept: 'application/json' })
      }
      expect(await canRead(cookie)).to.equal(false)
    })

    it('refuses a sign-in form of another site', async () => {
      await testConsole.addOperator('ada')
      const form = { name: 'ada', password: PASSWORD }
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `${testConsole.address}.evil.example` },
        { origin: 'http://127.0.0.1:1' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ]) {
        const reply = await testConsole.postForm('/sign-in', form, headers)
        expect([reply.status, reply.headers['set-cookie']], JSON.stringify(headers)).to.deep.equal([403, undefined])
      }
    })

    it('limits attempts for existing and for unknown names', async () => {
      await testConsole.addOperator('ada')
      for (const name of ['ada', 'nobody']) {
        for (let i = 0; i < 20; i++) expect((await testConsole.signIn(name, 'wrong')).status).to.equal(401)
        const { status, headers, text } = await testConsole.signIn(name)
        expect(status).to.equal(429)
        expect(Number(headers['retry-after'])).to.be.within(1, 900)
        expect(text).to.include('Too many attempts')
      }
      await testConsole.addOperator('ben')
      expect((await testConsole.signIn('ben')).status).to.equal(303)
    })

    it('does not lock out an operator in a browser with a device cookie', async () => {
      await testConsole.addOperator('ada')
      const first = await testConsole.signIn('ada')
      const deviceCookie = readDeviceCookie(first)
      for (let i = 0; i < 20; i++) await testConsole.signIn('ada', 'wrong')
      expect((await testConsole.signIn('ada')).status).to.equal(429)
      const form = { name: 'ada', password: PASSWORD }
      for (const forged of [
        deviceCookie.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')),
        'forecourt_browser=',
        `${deviceCookie}x`,
      ])
        expect((await testConsole.postForm('/sign-in', form, { cookie: forged })).status, forged).to.equal(429)
      expect(
        (await testConsole.postForm('/sign-in', { ...form, name: 'ben' }, { cookie: deviceCookie })).status,
      ).to.equal(401)
      expect((await testConsole.postForm('/sign-in', form, { cookie: deviceCookie })).status).to.equal(303)
      for (let i = 0; i < 20; i++)
        expect(
          (await testConsole.postForm('/sign-in', { ...form, password: 'wrong' }, { cookie: deviceCookie })).status,
        ).to.equal(401)
      expect(
        (await testConsole.postForm('/sign-in', form, { cookie: deviceCookie })).status,
        'attempts with the device cookie are limited too',
      ).to.equal(429)
    })

    it('invalidates device cookies when the password changes', async () => {
      const { operator_id } = await testConsole.addOperator('ada')
      const deviceCookie = readDeviceCookie(await testConsole.signIn('ada'))
      const password_hash = hashPassword(PASSWORD)
      await updateOperatorAndEndSessions(db, operator_id, { password_hash })
      for (let i = 0; i < 20; i++) await testConsole.signIn('ada', 'wrong')
      const form = { name: 'ada', password: PASSWORD }
      expect((await testConsole.postForm('/sign-in', form, { cookie: deviceCookie })).status).to.equal(429)
    })

    it('never redirects to another site', async () => {
      await testConsole.addOperator('ada')
      for (const to of [
        'https://evil.example/',
        '//evil.example/',
        '/\\evil.example',
        '\\\\evil.example',
        '/\t/evil.example',
        '/.//evil.example',
        '/x/..//evil.example',
        'javascript:alert(1)',
        'http:evil.example',
        `/${'a'.repeat(3_000)}`,
      ]) {
        const reply = await testConsole.postForm('/sign-in', { name: 'ada', password: PASSWORD, to })
        expect([reply.status, reply.headers.location], to).to.deep.equal([303, '/'])
        const cookie = toCookieHeader(reply)
        const response = await testConsole.get({ cookie, csrf: '' }, `/sign-in?to=${encodeURIComponent(to)}`)
        expect([response.status, response.headers.location], to).to.deep.equal([303, '/'])
      }
    })
  })
}

describe('the sign-in page', () => {
  const [store] = stores()
  let testConsole: TestConsole
  before(async () => {
    testConsole = await startTestConsole(await store!.open(), pages, { url: 'https://ops.example' })
  })
  after(async () => {
    await testConsole[Symbol.asyncDispose]()
    await store!.close()
  })

  it('escapes submitted values', async () => {
    const hostile = '"><script>alert(1)</script>'
    const { text } = await testConsole.postForm(
      '/sign-in',
      { name: hostile, password: 'x', to: `/${hostile}` },
      { origin: 'https://ops.example' },
    )
    expect(text).to.not.include('<script>alert')
    expect((await testConsole.request(`/sign-in?to=${encodeURIComponent(`/${hostile}`)}`)).text).to.not.include(
      '<script>alert',
    )
  })

  it('reloads itself when it was opened from a link of another site', async () => {
    const from = (site: string) => testConsole.request('/sign-in?to=%2F', { headers: { 'sec-fetch-site': site } })
    expect((await from('cross-site')).text).to.include('http-equiv="refresh" content="0"')
    expect((await from('same-origin')).text).to.not.include('http-equiv="refresh"')
    expect((await from('none')).text).to.not.include('http-equiv="refresh"')
  })

  it('sets Secure cookies and accepts forms of the configured https origin', async () => {
    await testConsole.addOperator('ada')
    const form = { name: 'ada', password: PASSWORD }
    const reply = await testConsole.postForm('/sign-in', form, { origin: 'https://ops.example', host: '127.0.0.1' })
    expect(reply.headers['set-cookie']![0]).to.match(/; Secure$/)
  })
})
