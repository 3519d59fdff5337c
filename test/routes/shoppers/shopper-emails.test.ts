import { expect } from 'chai'
import { createPasswordHasher } from '../../../src/commands/password-hasher.ts'
import { addShopper, generateShopperId } from '../../../src/storage/shoppers/shopper-accounts.ts'
import { tenantColumns } from '../../../src/storage/tenant-columns.ts'
import { type Api, type Reply, startApi } from '../../support/api.ts'
import { type Mailbox, startMailbox } from '../../support/mailbox.ts'
import { newEmail, PASSWORD, registrationOf, shopperAccountCalls } from '../../support/shopper-account-calls.ts'

const HOUR_MS = 3_600_000
const FROM = 'Parts Shop <shop@parts.example>'
const OTHER_PASSWORD = 'another horse entirely'

describe('emails to shoppers', function () {
  this.timeout(300_000)

  let api: Api
  let mailbox: Mailbox
  let verified: ReturnType<typeof shopperAccountCalls>
  let immediate: ReturnType<typeof shopperAccountCalls>
  let now = Date.parse('2026-11-21T12:00:00.000Z')
  let secrets: string

  before(async () => {
    mailbox = await startMailbox()
    api = await startApi({
      now: () => now,
      mail: { url: mailbox.url, from: FROM },
      merchants: (of) => [
        {
          merchant: 'careful',
          name: 'Careful Parts',
          registration: 'verified',
          sandbox: of('acme-live'),
          mail: { verifyUrl: 'https://careful.example/confirm?lang=en', resetUrl: 'https://careful.example/reset' },
        },
      ],
    })
    verified = shopperAccountCalls(api, await api.key({ mode: 'live' }))
    immediate = shopperAccountCalls(api, await api.key())
    secrets = await api.key({ kind: 'secret', mode: 'live' })
  })
  after(async () => {
    await api[Symbol.asyncDispose]()
    await mailbox[Symbol.asyncDispose]()
  })
  afterEach(() => api.clearFaults())

  const opens = async ({ body }: Reply) => {
    const headers = { 'x-storefront-shopper-token': body.shopper_token }
    return (await api.request('/v1/me', { key: secrets, headers })).status === 200
  }
  const account = async (email: string) => {
    await verified('', registrationOf(email))
    return verified('/verify', { token: await mailbox.tokenFor(email), password: PASSWORD })
  }

  it('confirm the address of a new shopper, which creates the account', async () => {
    const email = newEmail()
    const { status, body } = await verified('', registrationOf(email))
    expect([status, body]).to.deep.equal([202, { status: 'VERIFICATION_SENT' }])
    expect((await verified('/login', { email, password: PASSWORD })).status).to.equal(401)
    const message = await mailbox.emailTo(email)
    expect(message).to.include({ from: FROM, to: email, subject: 'Confirm your email address for Parts' })
    const session = await verified('/verify', { token: await mailbox.tokenFor(email), password: PASSWORD })
    expect(session.status).to.equal(200)
    expect(session.body.customer).to.include({ email, first_name: 'Ann' })
    expect(await opens(session)).to.equal(true)
    expect((await verified('/login', { email, password: PASSWORD })).status).to.equal(200)
  })

  it('link an existing customer after confirmation, and not before', async () => {
    const email = 'parts@mobay-garage.example'
    const registered = await immediate('', registrationOf(email))
    expect(registered.status).to.equal(202)
    expect((await immediate('/login', { email, password: PASSWORD })).status).to.equal(401)
    const { status, body } = await immediate('/verify', { token: await mailbox.tokenFor(email) })
    expect([status, body.customer.customer_id, body.customer.company]).to.deep.equal([200, 'C-1001', 'MoBay Garage'])
  })

  for (const [what, email] of [
    ['a new shopper', newEmail()],
    ['an existing customer', 'orders@hwt-motors.example'],
  ] as const)
    it(`never let a stranger's password into the account of ${what}, and offer to set another one`, async () => {
      await verified('', registrationOf(email))
      const confirmed = await verified('/verify', { token: await mailbox.tokenFor(email) })
      expect([confirmed.status, await opens(confirmed)]).to.deep.equal([200, true])
      expect((await verified('/login', { email, password: PASSWORD })).status).to.equal(401)
      expect((await mailbox.emailTo(email, 1)).subject).to.equal('Set a password for Parts')
      const token = await mailbox.tokenFor(email, 1)
      expect((await verified('/password-reset/confirm', { token, password: OTHER_PASSWORD })).status).to.equal(200)
      expect((await verified('/login', { email, password: OTHER_PASSWORD })).status).to.equal(200)
    })

  it('say where a token goes that is sent to the other operation', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    const verifyToken = await mailbox.tokenFor(email)
    const early = await verified('/password-reset/confirm', { token: verifyToken, password: PASSWORD })
    expect([early.status, early.body.detail[0].type]).to.deep.equal([422, 'token_for_verify'])
    expect((await verified('/verify', { token: verifyToken, password: PASSWORD })).status).to.equal(200)
    await verified('', registrationOf(email))
    const { subject, text } = await mailbox.emailTo(email, 1)
    expect(subject).to.equal('You already have an account at Parts')
    expect(text).to.include('/v1/shoppers/password-reset/confirm')
    const token = await mailbox.tokenFor(email, 1)
    const { status, body } = await verified('/verify', { token, password: OTHER_PASSWORD })
    expect([status, body.detail]).to.deep.equal([
      422,
      [
        {
          type: 'token_for_reset',
          loc: ['body', 'token'],
          msg: 'The token is from another email: send it to POST /v1/shoppers/password-reset/confirm',
        },
      ],
    ])
    expect((await verified('/password-reset/confirm', { token, password: OTHER_PASSWORD })).status).to.equal(200)
    const used = await verified('/verify', { token })
    expect(used.body.detail[0].type).to.equal('token_invalid')
  })

  it('take over an account that a stranger opened in the meantime, with its password and its sessions', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    const created = { ...tenantColumns({ merchant: 'acme', mode: 'live' }), email, customer_id: 'C-1004' } as const
    const password_hash = await createPasswordHasher().hash(PASSWORD)
    await addShopper(api.db, { ...created, shopper_id: generateShopperId(), password_hash }, new Date(now), null)
    const stranger = await verified('/login', { email, password: PASSWORD })
    expect(await opens(stranger)).to.equal(true)
    const owner = await verified('/verify', { token: await mailbox.tokenFor(email) })
    expect([owner.status, await opens(owner), await opens(stranger)]).to.deep.equal([200, true, false])
    expect((await verified('/login', { email, password: PASSWORD })).status).to.equal(401)
    expect((await mailbox.emailTo(email, 1)).subject).to.equal('Set a password for Parts')
  })

  it('let whoever confirms the address set the password: of a new, a linked and an existing account', async () => {
    for (const email of [newEmail(), 'transport@kgn-freight.example']) {
      await verified('', registrationOf(email))
      await verified('', registrationOf(email))
      const linked = { token: await mailbox.tokenFor(email), password: OTHER_PASSWORD }
      const first = await verified('/verify', linked)
      expect(first.status).to.equal(200)
      expect((await verified('/login', { email, password: PASSWORD })).status).to.equal(401)
      expect((await verified('/login', { email, password: OTHER_PASSWORD })).status).to.equal(200)
      const again = { token: await mailbox.tokenFor(email, 1), password: 'a third horse' }
      expect((await verified('/verify', again)).status).to.equal(200)
      expect(await opens(first)).to.equal(false)
      expect((await verified('/login', { email, password: OTHER_PASSWORD })).status).to.equal(401)
      expect((await verified('/login', { email, password: 'a third horse' })).status).to.equal(200)
    }
  })

  it('tell the owner of an existing account about it, and let them set a password', async () => {
    const email = newEmail()
    await account(email)
    expect((await verified('', registrationOf(email, OTHER_PASSWORD))).status).to.equal(202)
    expect((await mailbox.emailTo(email, 1)).subject).to.equal('You already have an account at Parts')
    const token = await mailbox.tokenFor(email, 1)
    expect((await verified('/verify', { token })).status).to.equal(422)
    expect((await verified('/login', { email, password: OTHER_PASSWORD })).status).to.equal(401)
    expect((await verified('/password-reset/confirm', { token, password: OTHER_PASSWORD })).status).to.equal(200)
  })

  it('link to the merchant’s own pages', async () => {
    const email = newEmail()
    const careful = shopperAccountCalls(api, await api.key({ merchant: 'careful' }))
    await careful('', registrationOf(email))
    const message = await mailbox.emailTo(email)
    expect(message.text).to.match(/https:\/\/careful\.example\/confirm\?lang=en&token=[0-9A-Za-z]{43}\s/)
    expect(message.subject).to.equal('Confirm your email address for Careful Parts')
    await careful('/verify', { token: await mailbox.tokenFor(email), password: PASSWORD })
    await careful('/password-reset', { email })
    const { text } = await mailbox.emailTo(email, 1)
    expect(text).to.match(/https:\/\/careful\.example\/reset\?token=[0-9A-Za-z]{43}\s/)
  })

  it('contain nothing that a stranger typed', async () => {
    const email = newEmail()
    await verified('', { ...registrationOf(email), first_name: 'Win at http://casino.example', company: 'casino' })
    expect(JSON.stringify(await mailbox.emailTo(email))).to.not.include('casino')
  })

  it('have tokens that work once, also for two concurrent requests', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    const token = await mailbox.tokenFor(email)
    const replies = await Promise.all([1, 2, 3].map(() => verified('/verify', { token })))
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 422, 422])
    const [item] = (await verified('/verify', { token })).body.detail
    expect([item.type, item.loc]).to.deep.equal(['token_invalid', ['body', 'token']])
  })

  it('have tokens for one merchant and mode', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    const token = await mailbox.tokenFor(email)
    const zenith = shopperAccountCalls(api, await api.key({ merchant: 'zenith', mode: 'live' }))
    for (const elsewhere of [immediate, zenith]) expect((await elsewhere('/verify', { token })).status).to.equal(422)
    expect((await verified('/verify', { token })).status).to.equal(200)
  })

  it('have tokens that last a day to verify, and an hour to reset', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    await verified('', registrationOf(email, OTHER_PASSWORD))
    const late = await mailbox.tokenFor(email)
    now += 24 * HOUR_MS - 1
    const proof = { token: await mailbox.tokenFor(email, 1), password: PASSWORD }
    expect((await verified('/verify', proof)).status).to.equal(200)
    await verified('/password-reset', { email })
    now += 1
    expect((await verified('/verify', { token: late })).status).to.equal(422)
    now += HOUR_MS
    const body = { token: await mailbox.tokenFor(email, 2), password: OTHER_PASSWORD }
    expect((await verified('/password-reset/confirm', body)).status).to.equal(422)
  })

  it('keep the password of an account that was confirmed in the meantime', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    await verified('', registrationOf(email, OTHER_PASSWORD))
    await verified('/verify', { token: await mailbox.tokenFor(email), password: 'the third horse' })
    expect((await verified('/verify', { token: await mailbox.tokenFor(email, 1) })).status).to.equal(200)
    for (const [password, status] of [
      [PASSWORD, 401],
      [OTHER_PASSWORD, 401],
      ['the third horse', 200],
    ] as const)
      expect((await verified('/login', { email, password })).status).to.equal(status)
  })

  it('to verify an address are invalid after a password reset', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    await account(email)
    await verified('/password-reset', { email })
    const body = { token: await mailbox.tokenFor(email, 2), password: OTHER_PASSWORD }
    expect((await verified('/password-reset/confirm', body)).status).to.equal(200)
    expect((await verified('/verify', { token: await mailbox.tokenFor(email, 1) })).status).to.equal(422)
  })

  it('set a new password, end every other session, and invalidate earlier emails', async () => {
    const email = newEmail()
    const first = await account(email)
    const second = await verified('/login', { email, password: PASSWORD })
    await verified('/password-reset', { email })
    await verified('/password-reset', { email })
    const older = await mailbox.tokenFor(email, 1)
    const token = await mailbox.tokenFor(email, 2)
    const { status, body } = await verified('/password-reset/confirm', { token, password: OTHER_PASSWORD })
    expect([status, body.customer.email]).to.deep.equal([200, email])
    expect(await opens({ body } as Reply)).to.equal(true)
    for (const ended of [first, second]) {
      expect(await opens(ended)).to.equal(false)
      expect((await verified('/refresh', { refresh_token: ended.body.refresh_token })).status).to.equal(401)
    }
    expect((await verified('/login', { email, password: PASSWORD })).status).to.equal(401)
    expect((await verified('/login', { email, password: OTHER_PASSWORD })).status).to.equal(200)
    for (const used of [token, older])
      expect((await verified('/password-reset/confirm', { token: used, password: PASSWORD })).status).to.equal(422)
  })

  it('can be used again after accounting failed', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    const token = await mailbox.tokenFor(email)
    await api.fault('accounting', { status: 500 })
    const { status } = await verified('/verify', { token })
    expect(status).to.be.oneOf([502, 503])
    await api.clearFaults()
    now += 60_000
    expect((await verified('/verify', { token })).status).to.equal(200)
  })

  it('create one customer for one address, however many tokens are confirmed at once', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    await verified('', registrationOf(email))
    const tokens = [await mailbox.tokenFor(email), await mailbox.tokenFor(email, 1)]
    const replies = await Promise.all(tokens.map((token) => verified('/verify', { token })))
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200])
    expect(new Set(replies.map(({ body }) => body.customer.customer_id)).size).to.equal(1)
  })

  it('are dropped when the mail server rejects them, and the log does not name the address', async () => {
    const box = await startMailbox()
    const apart = await startApi({ mail: { url: box.url, from: FROM } })
    try {
      box.rejectAll()
      const email = newEmail()
      const { status } = await shopperAccountCalls(apart, await apart.key({ mode: 'live' }))('', registrationOf(email))
      expect(status).to.equal(202)
      const log = await apart.stopAndReadLog()
      expect(log).to.include('an email could not be sent')
      expect(log).to.not.include(email)
    } finally {
      await apart[Symbol.asyncDispose]()
      await box[Symbol.asyncDispose]()
    }
  })

  it('are still sent during shutdown', async () => {
    const apart = await startApi({ mail: { url: mailbox.url, from: FROM } })
    const email = newEmail()
    await shopperAccountCalls(apart, await apart.key({ mode: 'live' }))('', registrationOf(email))
    await apart[Symbol.asyncDispose]()
    expect(mailbox.emails.filter(({ to }) => to === email)).to.have.length(1)
  })

  it('are not sent to an address that has no account', async () => {
    const [known, unknown] = [newEmail(), newEmail()]
    await account(known)
    await verified('/password-reset', { email: unknown })
    await verified('/password-reset', { email: known })
    await mailbox.emailTo(known, 1)
    expect(mailbox.emails.filter(({ to }) => to === unknown)).to.deep.equal([])
  })

  it('appear in the log where that is configured, so that the token can be copied', async () => {
    const apart = await startApi({ mail: { url: 'log:', from: FROM } })
    const email = newEmail()
    await shopperAccountCalls(apart, await apart.key({ mode: 'live' }))('', registrationOf(email))
    const lines = (await apart.stopAndReadLog()).trim().split('\n')
    const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'mail')
    expect(line).to.include({ to: email, from: FROM })
    expect(line.text).to.match(/\n[0-9A-Za-z]{43}\n/)
  })
})
