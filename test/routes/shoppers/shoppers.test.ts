import { expect } from 'chai'
import { readRequestRecords } from '../../../src/diagnostics/reports/request-records.ts'
import { type Api, type Reply, startApi } from '../../support/api.ts'
import { newEmail, PASSWORD, registrationOf, shopperAccountCalls } from '../../support/shopper-account-calls.ts'
import { until } from '../../support/until.ts'

const HOUR_MS = 3_600_000

describe('/v1/shoppers', () => {
  let api: Api
  let post: ReturnType<typeof shopperAccountCalls>
  let secret: string
  let now = Date.parse('2026-11-21T12:00:00.000Z')

  before(async () => {
    api = await startApi({ now: () => now })
    post = shopperAccountCalls(api, await api.key())
    secret = await api.key({ kind: 'secret' })
  })
  after(() => api[Symbol.asyncDispose]())
  afterEach(() => api.clearFaults())

  const readMe = (token: string, key = secret) =>
    api.request('/v1/me', { key, headers: { 'x-storefront-shopper-token': token } })
  const opens = async ({ body }: Reply) => (await readMe(body.shopper_token)).status === 200
  const registered = () => post('', registrationOf(newEmail()))

  it('registers a new shopper, and signs them in', async () => {
    const email = newEmail()
    const { status, body, headers } = await post('', { ...registrationOf(`  ${email.toUpperCase()} `), company: '' })
    expect(status).to.equal(201)
    expect(headers['cache-control']).to.match(/no-store/)
    expect(body.customer).to.include({ email, first_name: 'Ann', last_name: 'Other', company: null, currency: 'JMD' })
    expect([body.token_type, body.expires_in, body.errors]).to.deep.equal(['Shopper', 3_600, []])
    expect(Date.parse(body.expires_at) - now).to.equal(HOUR_MS)
    expect(Date.parse(body.refresh_expires_at) - now).to.equal(30 * 24 * HOUR_MS)
    const me = await readMe(body.shopper_token)
    expect(me.body).to.deep.equal(body.customer)
  })

  it('does not sign in a shopper who is an existing customer, or registered', async () => {
    const email = newEmail()
    await post('', registrationOf(email))
    for (const known of [email, 'parts@mobay-garage.example', 'PARTS@Mobay-Garage.example']) {
      const { status, body } = await post('', registrationOf(known))
      expect([status, body], known).to.deep.equal([202, { status: 'VERIFICATION_SENT' }])
    }
  })

  it('registers an address once for concurrent requests', async () => {
    const email = newEmail()
    const replies = await Promise.all(Array.from({ length: 5 }, () => post('', registrationOf(email))))
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([201, 202, 202, 202, 202])
    const rows = await api.db.selectFrom('shoppers').selectAll().where('email', '=', email).execute()
    expect(rows).to.have.length(1)
  })

  it('creates nothing while accounting is down, and everything at the next attempt', async () => {
    const email = newEmail()
    await api.fault('accounting', { status: 500 })
    const { status, headers } = await post('', registrationOf(email))
    expect(status).to.be.oneOf([502, 503])
    expect(headers['retry-after']).to.match(/^\d+$/)
    const rows = await api.db.selectFrom('shoppers').selectAll().where('email', '=', email).execute()
    expect(rows).to.deep.equal([])
    await api.clearFaults()
    now += 60_000
    expect((await post('', registrationOf(email))).status).to.equal(201)
  })

  it('signs in with address and password only', async () => {
    const email = newEmail()
    const first = await post('', registrationOf(email))
    const { status, body } = await post('/login', { email: ` ${email.toUpperCase()}`, password: PASSWORD })
    expect(status).to.equal(200)
    expect(body.customer).to.deep.equal(first.body.customer)
    expect(body.shopper_token).to.not.equal(first.body.shopper_token)
    for (const tried of [
      { email, password: `${PASSWORD}.` },
      { email: newEmail(), password: PASSWORD },
    ]) {
      const refused = await post('/login', tried)
      expect([refused.status, refused.body.code]).to.deep.equal([401, 'invalid_credentials'])
    }
  })

  it('signs in while accounting is down, and reports the missing section', async () => {
    const email = newEmail()
    await post('', registrationOf(email))
    await api.fault('accounting', { status: 500 })
    const { status, body, headers } = await post('/login', { email, password: PASSWORD })
    expect([status, body.customer]).to.deep.equal([200, null])
    expect(body.errors.map(({ field }: { field: string }) => field)).to.deep.equal(['customer'])
    const recorded = () => readRequestRecords(api.db, String(headers['x-request-id']))
    await until('those on call are told', async () => (await recorded()).length > 0)
    const [record] = await recorded()
    expect([record!.kind, record!.sections[0]!.name, record!.sections[0]!.system]).to.deep.equal([
      ...['degraded', 'customer', 'accounting'],
    ])
    now += 60_000
  })

  it('ends a shopper token after an hour, and a refresh token after thirty days', async () => {
    const session = await registered()
    now += HOUR_MS - 1
    expect(await opens(session)).to.equal(true)
    now += 1
    expect(await opens(session)).to.equal(false)
    now += 30 * 24 * HOUR_MS - HOUR_MS
    const { status, body } = await post('/refresh', { refresh_token: session.body.refresh_token })
    expect([status, body.code]).to.deep.equal([401, 'invalid_refresh_token'])
  })

  it('exchanges a refresh token for new tokens', async () => {
    const first = await registered()
    const { status, body } = await post('/refresh', { refresh_token: first.body.refresh_token })
    expect(status).to.equal(200)
    expect(body.customer).to.deep.equal(first.body.customer)
    expect(body.refresh_token).to.not.equal(first.body.refresh_token)
    expect(body.shopper_token).to.not.equal(first.body.shopper_token)
    expect(await opens({ body } as Reply)).to.equal(true)
  })

  it('rotates once for concurrent refreshes, which all get the same tokens', async () => {
    const first = await registered()
    const { refresh_token } = first.body
    const replies = await Promise.all(Array.from({ length: 8 }, () => post('/refresh', { refresh_token })))
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200]))
    expect(new Set(replies.map(({ body }) => body.refresh_token)).size).to.equal(1)
    expect(await opens(replies[0]!)).to.equal(true)
  })

  it('returns a lost response again within ten seconds', async () => {
    const { refresh_token } = (await registered()).body
    const lost = await post('/refresh', { refresh_token })
    now += 10_000
    const again = await post('/refresh', { refresh_token })
    expect(again.body.refresh_token).to.equal(lost.body.refresh_token)
    expect(again.body.shopper_token).to.equal(lost.body.shopper_token)
    expect(again.body.expires_in).to.equal(3_590)
  })

  for (const [what, steal] of Object.entries({
    'used more than ten seconds ago': async (_: Reply) => {
      now += 10_001
    },
    'whose successor was used': async ({ body }: Reply) => {
      await post('/refresh', { refresh_token: body.refresh_token })
    },
  })) {
    it(`ends the session when a refresh token is sent again ${what}`, async () => {
      const first = await registered()
      const second = await post('/refresh', { refresh_token: first.body.refresh_token })
      await steal(second)
      const refused = await post('/refresh', { refresh_token: first.body.refresh_token })
      expect([refused.status, refused.body.code]).to.deep.equal([401, 'invalid_refresh_token'])
      expect(await opens(first)).to.equal(false)
      expect(await opens(second)).to.equal(false)
      expect((await post('/refresh', { refresh_token: second.body.refresh_token })).status).to.equal(401)
    })
  }

  it('ends one session at log-out, immediately, and no other', async () => {
    const email = newEmail()
    const first = await post('', registrationOf(email))
    const other = await post('/login', { email, password: PASSWORD })
    expect(await opens(first)).to.equal(true)
    const { status } = await post('/logout', { refresh_token: first.body.refresh_token })
    expect(status).to.equal(204)
    expect(await opens(first)).to.equal(false)
    expect((await post('/refresh', { refresh_token: first.body.refresh_token })).status).to.equal(401)
    expect(await opens(other)).to.equal(true)
    expect((await post('/logout', { refresh_token: first.body.refresh_token })).status).to.equal(204)
    expect((await post('/logout', { refresh_token: 'nobody-knows-it' })).status).to.equal(204)
  })

  for (const [whose, request, code] of [
    ['another merchant', { merchant: 'zenith' }, 'shopper_merchant_mismatch'],
    ['the other mode', { mode: 'live' }, 'invalid_shopper_token'],
  ] as const) {
    it(`is unknown to ${whose}: both its tokens and its address`, async () => {
      const email = newEmail()
      const session = await post('', registrationOf(email))
      const elsewhere = shopperAccountCalls(api, await api.key(request))
      const { refresh_token, shopper_token } = session.body
      expect((await elsewhere('/login', { email, password: PASSWORD })).status).to.equal(401)
      expect((await elsewhere('/refresh', { refresh_token })).status).to.equal(401)
      expect((await elsewhere('/logout', { refresh_token })).status).to.equal(204)
      const me = await readMe(shopper_token, await api.key({ kind: 'secret', ...request }))
      expect(me.body.code).to.equal(code)
      expect(await opens(session)).to.equal(true)
      expect((await post('/refresh', { refresh_token })).status).to.equal(200)
    })
  }

  it('requires a key with the scope', async () => {
    const refused = await shopperAccountCalls(api, await api.key({ scopes: ['storefront:catalog'] }))('/login', {})
    expect(refused.body.code).to.equal('insufficient_scope')
  })

  for (const [call, body, loc] of [
    ['', { ...registrationOf('a@b.example'), password: 'short-1' }, 'password'],
    ['', { ...registrationOf('a@b.example'), first_name: '' }, 'first_name'],
    ['', registrationOf(`${'a'.repeat(250)}@b.example`), 'email'],
    ['', registrationOf('a@b.example\r\nBcc: x@y.example'), 'email'],
    ['', registrationOf('a@b@c.example'), 'email'],
    ['', registrationOf('Ann <a@b.example>'), 'email'],
    ['/login', { email: 'a@b.example', password: 1 }, 'password'],
    ['/password-reset', { email: 'a.example' }, 'email'],
    ['/password-reset', { email: 'a\u0085b@shop.example' }, 'email'],
    ['/password-reset/confirm', { token: 'x', password: 'x'.repeat(129) }, 'password'],
    ['/verify', { token: 'nobody-knows-it' }, 'token'],
    ['/password-reset/confirm', { token: 'nobody-knows-it', password: PASSWORD }, 'token'],
  ] as const) {
    it(`rejects ${call || 'register'} with ${JSON.stringify(body).slice(0, 60)}, and echoes nothing`, async () => {
      const reply = await post(call, body)
      expect([reply.status, reply.body.detail[0].loc]).to.deep.equal([422, ['body', loc]])
      expect(reply.text).to.not.include('input')
    })
  }
})
