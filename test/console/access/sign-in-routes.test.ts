import { expect } from 'chai'
import type { ConsolePage } from '../../../src/console/console-page.ts'
import type { Database } from '../../../src/storage/database.ts'
import { listAuditLog } from '../../../src/storage/operators/audit-log.ts'
import { updateOperator, updateOperatorAndEndSessions } from '../../../src/storage/operators/operator-accounts.ts'
import type { Reply } from '../../support/http-exchange.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'
import { hashPassword, PASSWORD, startTestConsole, type TestConsole, toCookieHeader } from '../test-console.ts'

const HOUR_MS = 3_600_000

/** By what a browser is known again. */
function browserOf({ headers }: Reply): string {
  const set = headers['set-cookie']?.find((each) => each.startsWith('forecourt_browser='))
  expect(set).to.match(/^forecourt_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
  return set!.split(';')[0]!
}

const pages: ConsolePage[] = [
  {
    ...{ method: 'GET', path: '/', role: 'support' },
    answer: async ({ operator }) => ({ template: 'error', title: 'Now', view: { why: `Hello ${operator.name}` } }),
  },
  {
    ...{ method: 'GET', path: '/incidents/:id', role: 'support' },
    answer: async ({ params }) => ({ json: { incident: params.id } }),
  },
]

for (const store of stores()) {
  describe(`signing in to the operations pages: ${store.name}`, () => {
    let db: Database
    let world: TestConsole

    beforeEach(async () => {
      db = await store.open()
      world = await startTestConsole(db, pages)
    })
    afterEach(async () => {
      await world[Symbol.asyncDispose]()
      await store.close()
    })

    const reads = async (cookie: string) => (await world.read({ cookie, csrf: '' }, '/')).status === 200

    it('is not there for a name that it was not given, as of a site that points its name here', async () => {
      const { cookie } = await world.seat('ada')
      const status = async (host: string, path: string) => (await world.ask(path, { headers: { host, cookie } })).status
      const { port } = new URL(world.address)
      for (const host of ['127.0.0.1', `localhost:${port}`, '[::1]:8081', '10.1.2.3'])
        expect(await status(host, '/'), host).to.equal(200)
      for (const host of ['evil.example', `localhost.evil.example:${port}`, '127.0.0.1.evil.example'])
        expect([await status(host, '/'), await status(host, '/sign-in')], host).to.deep.equal([421, 421])
      expect(await status('pod-7.cluster', '/readyz')).to.be.oneOf([200, 503])
    })

    it('shows a page to somebody with an account, who leads there', async () => {
      await world.add('ada')
      const form = { name: ' Ada ', password: PASSWORD, to: '/incidents/inc_1?from=list' }
      const reply = await world.post('/sign-in', form)
      expect([reply.status, reply.headers.location]).to.deep.equal([303, '/incidents/inc_1?from=list'])
      const { status, text } = await world.read({ cookie: toCookieHeader(reply), csrf: '' }, '/')
      expect(status).to.equal(200)
      expect(text).to.include('Hello ada').and.include('<title>Now · Forecourt operations</title>')
    })

    it('keeps the digest of the session alone, in a cookie that no script and no other site gets', async () => {
      await world.add('ada')
      const reply = await world.signIn('ada')
      expect(reply.headers['set-cookie']).to.have.length(2)
      expect(reply.headers['set-cookie']![0]).to.match(
        /^forecourt_operations=\w{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
      )
      const token = toCookieHeader(reply).split('=')[1]!
      const [row] = await db.selectFrom('operator_sessions').selectAll().execute()
      expect(JSON.stringify(row)).to.not.include(token)
      expect(row!.digest).to.match(/^[0-9a-f]{64}$/)
    })

    it('says the same of a wrong password, an unknown name and a disabled account', async () => {
      const { operator_id } = await world.add('gone')
      await updateOperatorAndEndSessions(db, operator_id, { disabled_at: new Date(world.clock.ms).toISOString() })
      await world.add('ada')
      const replies = [
        await world.signIn('ada', 'wrong'),
        await world.signIn('nobody'),
        await world.signIn('gone'),
        await world.signIn('ada', ''),
        await world.signIn("' or 1=1 --"),
        await world.signIn('\u0000'),
      ]
      for (const { status, headers, text } of replies) {
        expect(status).to.equal(401)
        expect(headers['set-cookie']).to.equal(undefined)
        expect(text).to.include('The name or the password is not right.').and.not.include('wrong')
      }
    })

    it('notes who signed in, and who was refused, with where they came from', async () => {
      await world.add('ada', 'support')
      await world.signIn('ada', 'wrong')
      world.clock.ms += 1_000
      await world.signIn('ada')
      await world.signIn('nobody')
      await until('what was refused is noted', async () => (await listAuditLog(db, { limit: 10 })).length === 2)
      const rows = await listAuditLog(db, { limit: 10 })
      const seen = rows.map(({ operator, role, action, outcome, address }) => [
        operator,
        role,
        action,
        outcome,
        address,
      ])
      expect(seen).to.deep.equal([
        ['ada', 'support', 'sign-in', 'done', '127.0.0.1'],
        ['ada', 'support', 'sign-in', 'refused', '127.0.0.1'],
      ])
      expect(world.log.join('')).to.include('was refused').and.not.include(PASSWORD)
    })

    it('takes no session from the browser: each sign-in makes one, and ends the one before', async () => {
      await world.add('ada')
      const planted = `forecourt_operations=${'A'.repeat(43)}`
      const form = { name: 'ada', password: PASSWORD }
      const first = toCookieHeader(await world.post('/sign-in', form, { cookie: planted }))
      expect(first).to.not.equal(planted)
      expect(await reads(planted)).to.equal(false)
      const second = toCookieHeader(await world.post('/sign-in', form, { cookie: first }))
      expect([await reads(first), await reads(second)]).to.deep.equal([false, true])
    })

    it('ends a session 12 hours after the sign-in, however busy', async () => {
      const { cookie } = await world.seat('ada')
      for (let half = 0; half < 23; half++) {
        world.clock.ms += HOUR_MS / 2
        expect(await reads(cookie), `after ${half} half hours`).to.equal(true)
      }
      world.clock.ms += HOUR_MS / 2
      expect(await reads(cookie)).to.equal(false)
    })

    it('ends a session that was idle for an hour', async () => {
      const { cookie } = await world.seat('ada')
      world.clock.ms += HOUR_MS - 1
      expect(await reads(cookie)).to.equal(true)
      world.clock.ms += HOUR_MS
      expect(await reads(cookie)).to.equal(false)
    })

    it('ends sessions with their account, and with its password', async () => {
      const [ada, ben] = [await world.seat('ada'), await world.seat('ben')]
      const rows = await db.selectFrom('operators').select(['operator_id', 'name']).execute()
      const idOf = (name: string) => rows.find((row) => row.name === name)!.operator_id
      await updateOperatorAndEndSessions(db, idOf('ada'), { disabled_at: new Date(world.clock.ms).toISOString() })
      expect([await reads(ada.cookie), await reads(ben.cookie)]).to.deep.equal([false, true])
      await updateOperator(db, idOf('ada'), { disabled_at: null })
      expect(await reads(ada.cookie)).to.equal(false)
      await updateOperatorAndEndSessions(db, idOf('ben'), { password_hash: 'another' })
      expect(await reads(ben.cookie)).to.equal(false)
    })

    it('signs out, with the form of that session alone', async () => {
      const seat = await world.seat('ada')
      expect((await world.act({ ...seat, csrf: 'x' }, '/sign-out')).status).to.equal(403)
      expect(await reads(seat.cookie)).to.equal(true)
      const reply = await world.act(seat, '/sign-out')
      expect([reply.status, reply.headers.location]).to.deep.equal([303, '/sign-in'])
      expect(reply.headers['set-cookie']![0]).to.match(/^forecourt_operations=; .*Max-Age=0$/)
      expect(await reads(seat.cookie)).to.equal(false)
    })

    it('is not signed out by a form of another site, which comes without the strict cookie', async () => {
      const reply = await world.post('/sign-out', {}, { origin: 'https://evil.example' })
      expect([reply.status, reply.headers['set-cookie']]).to.deep.equal([403, undefined])
    })

    it('ends a session though a page goes on polling for its numbers', async () => {
      const { cookie } = await world.seat('ada')
      for (const _ of [1, 2, 3]) {
        world.clock.ms += HOUR_MS / 2
        await world.read({ cookie, csrf: '' }, '/incidents/inc_1', { accept: 'application/json' })
      }
      expect(await reads(cookie)).to.equal(false)
    })

    it('refuses a sign-in that another site sends', async () => {
      await world.add('ada')
      const form = { name: 'ada', password: PASSWORD }
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `${world.address}.evil.example` },
        { origin: 'http://127.0.0.1:1' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ]) {
        const reply = await world.post('/sign-in', form, headers)
        expect([reply.status, reply.headers['set-cookie']], JSON.stringify(headers)).to.deep.equal([403, undefined])
      }
    })

    it('lets nobody guess for long, alike for names that are not there', async () => {
      await world.add('ada')
      for (const name of ['ada', 'nobody']) {
        for (let i = 0; i < 20; i++) expect((await world.signIn(name, 'wrong')).status).to.equal(401)
        const { status, headers, text } = await world.signIn(name)
        expect(status).to.equal(429)
        expect(Number(headers['retry-after'])).to.be.within(1, 900)
        expect(text).to.include('Too many tries')
      }
      await world.add('ben')
      expect((await world.signIn('ben')).status).to.equal(303)
    })

    it('lets nobody lock out somebody at a browser that they signed in with', async () => {
      await world.add('ada')
      const first = await world.signIn('ada')
      const known = browserOf(first)
      for (let i = 0; i < 20; i++) await world.signIn('ada', 'wrong')
      expect((await world.signIn('ada')).status).to.equal(429)
      const form = { name: 'ada', password: PASSWORD }
      for (const forged of [known.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')), 'forecourt_browser=', `${known}x`])
        expect((await world.post('/sign-in', form, { cookie: forged })).status, forged).to.equal(429)
      expect((await world.post('/sign-in', { ...form, name: 'ben' }, { cookie: known })).status).to.equal(401)
      expect((await world.post('/sign-in', form, { cookie: known })).status).to.equal(303)
      for (let i = 0; i < 20; i++)
        expect((await world.post('/sign-in', { ...form, password: 'wrong' }, { cookie: known })).status).to.equal(401)
      expect((await world.post('/sign-in', form, { cookie: known })).status, 'it guesses no longer either').to.equal(
        429,
      )
    })

    it('knows no browser any more once the password is another', async () => {
      const { operator_id } = await world.add('ada')
      const known = browserOf(await world.signIn('ada'))
      const password_hash = hashPassword(PASSWORD)
      await updateOperatorAndEndSessions(db, operator_id, { password_hash })
      for (let i = 0; i < 20; i++) await world.signIn('ada', 'wrong')
      const form = { name: 'ada', password: PASSWORD }
      expect((await world.post('/sign-in', form, { cookie: known })).status).to.equal(429)
    })

    it('leads nowhere else', async () => {
      await world.add('ada')
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
        const reply = await world.post('/sign-in', { name: 'ada', password: PASSWORD, to })
        expect([reply.status, reply.headers.location], to).to.deep.equal([303, '/'])
        const cookie = toCookieHeader(reply)
        const shown = await world.read({ cookie, csrf: '' }, `/sign-in?to=${encodeURIComponent(to)}`)
        expect([shown.status, shown.headers.location], to).to.deep.equal([303, '/'])
      }
    })
  })
}

describe('the sign-in page', () => {
  const [store] = stores()
  let world: TestConsole
  before(async () => {
    world = await startTestConsole(await store!.open(), pages, { url: 'https://ops.example' })
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await store!.close()
  })

  it('escapes what it was sent', async () => {
    const evil = '"><script>alert(1)</script>'
    const { text } = await world.post(
      '/sign-in',
      { name: evil, password: 'x', to: `/${evil}` },
      { origin: 'https://ops.example' },
    )
    expect(text).to.not.include('<script>alert')
    expect((await world.ask(`/sign-in?to=${encodeURIComponent(`/${evil}`)}`)).text).to.not.include('<script>alert')
  })

  it('is loaded again from here when somebody follows a link from elsewhere', async () => {
    const from = (site: string) => world.ask('/sign-in?to=%2F', { headers: { 'sec-fetch-site': site } })
    expect((await from('cross-site')).text).to.include('http-equiv="refresh" content="0"')
    expect((await from('same-origin')).text).to.not.include('http-equiv="refresh"')
    expect((await from('none')).text).to.not.include('http-equiv="refresh"')
  })

  it('makes its cookies Secure where browsers come by https, and takes forms from there', async () => {
    await world.add('ada')
    const form = { name: 'ada', password: PASSWORD }
    const reply = await world.post('/sign-in', form, { origin: 'https://ops.example', host: '127.0.0.1' })
    expect(reply.headers['set-cookie']![0]).to.match(/; Secure$/)
  })
})
