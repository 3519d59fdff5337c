import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { expect } from 'chai'
import { readRequestRecords } from '../../../src/diagnostics/reports/request-records.ts'
import { type Api, type Reply, startApi } from '../../support/api.ts'
import { type Mailbox, startMailbox } from '../../support/mailbox.ts'
import { newEmail, PASSWORD, registrationOf, shopperAccountCalls } from '../../support/shopper-account-calls.ts'
import { until } from '../../support/until.ts'

/** Counts the runs of argon2 until it is disposed. */
function countArgon2(): { runs: number } & Disposable {
  const real = crypto.argon2
  const counted = {
    runs: 0,
    [Symbol.dispose]() {
      crypto.argon2 = real
      syncBuiltinESMExports()
    },
  }
  crypto.argon2 = ((...given: Parameters<typeof real>) => {
    counted.runs += 1
    real(...given)
  }) as typeof real
  syncBuiltinESMExports()
  return counted
}

/** Returns a response without its request id, to compare it with others. */
const withoutRequestId = ({ status, body }: Reply) => ({ status, body: { ...body, request_id: undefined } })

describe('a known address and an unknown one', function () {
  this.timeout(300_000)

  let api: Api
  let mailbox: Mailbox
  let post: ReturnType<typeof shopperAccountCalls>
  let counted: ReturnType<typeof countArgon2>
  /** A customer without an account. */
  const customer = 'fleet@bluemountain-fleet.example'
  let shopper: string

  before(async () => {
    counted = countArgon2()
    mailbox = await startMailbox()
    api = await startApi({ mail: { url: mailbox.url, from: 'shop@parts.example' } })
    post = shopperAccountCalls(api, await api.key({ kind: 'secret', mode: 'live' }))
    shopper = newEmail()
    await post('', registrationOf(shopper))
    await post('/verify', { token: await mailbox.tokenFor(shopper), password: PASSWORD })
  })
  after(async () => {
    counted[Symbol.dispose]()
    await api[Symbol.asyncDispose]()
    await mailbox[Symbol.asyncDispose]()
  })

  const rows = async () => {
    const { count } = api.db.fn
    const tokens = await api.db.selectFrom('mailbox_tokens').select(count('digest').as('n')).executeTakeFirstOrThrow()
    return Number(tokens.n)
  }

  /** A response, and the work that it took. */
  async function taken(call: string, body: object) {
    const [runs, tokens] = [counted.runs, await rows()]
    const reply = await post(call, body)
    return {
      ...withoutRequestId(reply),
      names: namesOf(reply),
      argon2: counted.runs - runs,
      tokens: (await rows()) - tokens,
    }
  }
  const namesOf = ({ headers }: Reply) => Object.keys(headers).sort()

  for (const [call, bodyOf, expected] of [
    ['', registrationOf, { status: 202, argon2: 0, tokens: 1 }],
    ['/login', (email: string) => ({ email, password: `not ${PASSWORD}` }), { status: 401, argon2: 1, tokens: 0 }],
    ['/password-reset', (email: string) => ({ email }), { status: 202, argon2: 0, tokens: 1 }],
  ] as const) {
    it(`get the same response, after the same work, from ${call || 'register'}`, async () => {
      const unknown = await taken(call, bodyOf(newEmail()))
      expect(unknown).to.include(expected)
      for (const known of [shopper, customer]) expect(await taken(call, bodyOf(known))).to.deep.equal(unknown)
    })
  }

  it('get the same response from verify: a used token, and one that never existed', async () => {
    const email = newEmail()
    await post('', registrationOf(email))
    const token = await mailbox.tokenFor(email)
    await post('/verify', { token })
    expect(await taken('/verify', { token })).to.deep.equal(await taken('/verify', { token: 'x'.repeat(43) }))
  })

  it('are limited alike after too many attempts of one client', async () => {
    const tryAll = async (email: string) => {
      const statuses: number[] = []
      for (let i = 0; i < 22; i++)
        statuses.push((await post('/login', { email, password: 'not it, and not close' }, '203.0.113.250')).status)
      return statuses
    }
    const email = newEmail()
    await post('', registrationOf(email))
    await post('/verify', { token: await mailbox.tokenFor(email), password: PASSWORD })
    const expected = [...Array.from({ length: 20 }, () => 401), 429, 429]
    expect(await tryAll(email)).to.deep.equal(expected)
    expect(await tryAll(newEmail())).to.deep.equal(expected)
    const { status, headers } = await post('/login', { email, password: PASSWORD }, '203.0.113.250')
    expect(status).to.equal(429)
    expect(Number(headers['retry-after'])).to.be.within(1, 900)
    const readRecord = async () => (await readRequestRecords(api.db, String(headers['x-request-id'])))[0]
    await until('the refusal is recorded', async () => (await readRecord()) !== undefined)
    expect((await readRecord())?.reachedLimit?.name).to.equal('logins')
  })

  it("are not locked out when the shop's server sends no client address, however many other accounts are tried", async () => {
    const key = await api.key({ kind: 'secret', mode: 'live', merchant: 'zenith' })
    const zenith = shopperAccountCalls(api, key)
    for (let i = 0; i < 61; i++) expect((await zenith('/password-reset', { email: newEmail() })).status).to.equal(202)
    const named = await Promise.all(
      Array.from({ length: 61 }, () => zenith('/password-reset', { email: newEmail() }, '203.0.113.99')),
    )
    expect(named.filter(({ status }) => status === 429)).to.have.length(1)
  })

  it('have all attempts again after a successful sign-in', async () => {
    const email = newEmail()
    await post('', registrationOf(email))
    await post('/verify', { token: await mailbox.tokenFor(email), password: PASSWORD })
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 19; i++) await post('/login', { email, password: 'not it, and not close' }, '203.0.113.251')
      expect((await post('/login', { email, password: PASSWORD }, '203.0.113.251')).status).to.equal(200)
    }
  })

  it('get a few emails an hour', async () => {
    for (const call of ['', '/password-reset']) {
      for (const email of [newEmail(), newEmail()]) {
        const statuses: number[] = []
        for (let i = 0; i < 6; i++) statuses.push((await post(call, registrationOf(email), '203.0.113.249')).status)
        expect(statuses).to.deep.equal([202, 202, 202, 202, 202, 429])
      }
    }
  })

  it('are limited by client address too: an IPv6 network counts as one', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 61; i++)
      statuses.push((await post('/password-reset', { email: newEmail() }, `2001:db8:0:7::${i.toString(16)}`)).status)
    expect(statuses.filter((status) => status === 429)).to.deep.equal([429])
    expect((await post('/password-reset', { email: newEmail() }, '2001:db8:0:8::1')).status).to.equal(202)
  })
})
