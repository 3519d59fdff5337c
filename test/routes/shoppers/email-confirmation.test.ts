import { expect } from 'chai'
import { type Api, type Reply, startApi } from '../../support/api.ts'
import { type Mailbox, startMailbox } from '../../support/mailbox.ts'
import { newEmail, PASSWORD, registrationOf, shopperCalls } from '../../support/shopper-calls.ts'

const HOUR_MS = 3_600_000
const FROM = 'Parts Shop <shop@parts.example>'
const OTHER_PASSWORD = 'another horse entirely'

describe('letters to shoppers', function () {
  this.timeout(300_000)

  let api: Api
  let mailbox: Mailbox
  let verified: ReturnType<typeof shopperCalls>
  let immediate: ReturnType<typeof shopperCalls>
  let now = Date.parse('2026-11-21T12:00:00.000Z')
  let secrets: string

  before(async () => {
    mailbox = await startMailbox()
    api = await startApi({
      now: () => now,
      mail: { url: mailbox.url, from: FROM },
      merchants: (of) => [
        {
          ...{ merchant: 'careful', name: 'Careful Parts', registration: 'verified', sandbox: of('acme-live') },
          mail: { verifyUrl: 'https://careful.example/confirm?lang=en', resetUrl: 'https://careful.example/reset' },
        },
      ],
    })
    verified = shopperCalls(api, await api.key({ mode: 'live' }))
    immediate = shopperCalls(api, await api.key())
    secrets = await api.key({ kind: 'secret', mode: 'live' })
  })
  after(async () => {
    await api[Symbol.asyncDispose]()
    await mailbox[Symbol.asyncDispose]()
  })
  afterEach(() => api.well())

  const opens = async ({ body }: Reply) => {
    const headers = { 'x-storefront-shopper-token': body.shopper_token }
    return (await api.ask('/v1/me', { key: secrets, headers })).status === 200
  }
  const account = async (email: string) => {
    await verified('', registrationOf(email))
    return verified('/verify', { token: await mailbox.tokenFor(email) })
  }

  it('prove the mailbox of a new shopper, and then the account is made', async () => {
    const email = newEmail()
    const { status, body } = await verified('', registrationOf(email))
    expect([status, body]).to.deep.equal([202, { status: 'VERIFICATION_SENT' }])
    expect((await verified('/login', { email, password: PASSWORD })).status).to.equal(401)
    const letter = await mailbox.letterTo(email)
    expect(letter).to.include({ from: FROM, to: email, subject: 'Confirm your address: Parts' })
    const session = await verified('/verify', { token: await mailbox.tokenFor(email) })
    expect(session.status).to.equal(200)
    expect(session.body.customer).to.include({ email, first_name: 'Ann' })
    expect(await opens(session)).to.equal(true)
    expect((await verified('/login', { email, password: PASSWORD })).status).to.equal(200)
  })

  it('link whoever the ledger knows to its customer, and nobody before', async () => {
    const email = 'parts@mobay-garage.example'
    const asked = await immediate('', registrationOf(email))
    expect(asked.status).to.equal(202)
    expect((await immediate('/login', { email, password: PASSWORD })).status).to.equal(401)
    const { status, body } = await immediate('/verify', { token: await mailbox.tokenFor(email) })
    expect([status, body.customer.customer_id, body.customer.company]).to.deep.equal([200, 'C-1001', 'MoBay Garage'])
  })

  it('give the ledger’s customer to whoever reads the mailbox, and not to the stranger who asked with a password of their own', async () => {
    const email = 'orders@hwt-motors.example'
    await verified('', registrationOf(email))
    const { status, body } = await verified('/verify', { token: await mailbox.tokenFor(email) })
    expect([status, body.customer.customer_id]).to.deep.equal([200, 'C-1002'])
    expect((await verified('/login', { email, password: PASSWORD })).status).to.equal(401)
    await verified('/password-reset', { email })
    const token = await mailbox.tokenFor(email, 1)
    expect((await verified('/password-reset/confirm', { token, password: OTHER_PASSWORD })).status).to.equal(200)
    expect((await verified('/login', { email, password: OTHER_PASSWORD })).status).to.equal(200)
  })

  it('let whoever proves the mailbox say the password: of a new account, of a linked one and of one that is there', async () => {
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

  it('tell the mailbox of an account that there is one, and let it set a password', async () => {
    const email = newEmail()
    await account(email)
    expect((await verified('', registrationOf(email, OTHER_PASSWORD))).status).to.equal(202)
    expect((await mailbox.letterTo(email, 1)).subject).to.equal('You have an account: Parts')
    const token = await mailbox.tokenFor(email, 1)
    expect((await verified('/verify', { token })).status).to.equal(422)
    expect((await verified('/login', { email, password: OTHER_PASSWORD })).status).to.equal(401)
    expect((await verified('/password-reset/confirm', { token, password: OTHER_PASSWORD })).status).to.equal(200)
  })

  it('lead to the merchant’s own pages', async () => {
    const email = newEmail()
    const careful = shopperCalls(api, await api.key({ merchant: 'careful' }))
    await careful('', registrationOf(email))
    const letter = await mailbox.letterTo(email)
    expect(letter.text).to.match(/https:\/\/careful\.example\/confirm\?lang=en&token=[0-9A-Za-z]{43}\s/)
    expect(letter.subject).to.equal('Confirm your address: Careful Parts')
    await careful('/verify', { token: await mailbox.tokenFor(email) })
    await careful('/password-reset', { email })
    const { text } = await mailbox.letterTo(email, 1)
    expect(text).to.match(/https:\/\/careful\.example\/reset\?token=[0-9A-Za-z]{43}\s/)
  })

  it('hold nothing that a stranger typed', async () => {
    const email = newEmail()
    await verified('', { ...registrationOf(email), first_name: 'Win at http://casino.example', company: 'casino' })
    expect(JSON.stringify(await mailbox.letterTo(email))).to.not.include('casino')
  })

  it('have tokens that are good once, of two at the same time too', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    const token = await mailbox.tokenFor(email)
    const replies = await Promise.all([1, 2, 3].map(() => verified('/verify', { token })))
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 422, 422])
    const [item] = (await verified('/verify', { token })).body.detail
    expect([item.type, item.loc]).to.deep.equal(['token_invalid', ['body', 'token']])
  })

  it('have tokens of one merchant and mode', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    const token = await mailbox.tokenFor(email)
    const zenith = shopperCalls(api, await api.key({ merchant: 'zenith', mode: 'live' }))
    for (const elsewhere of [immediate, zenith]) expect((await elsewhere('/verify', { token })).status).to.equal(422)
    expect((await verified('/verify', { token })).status).to.equal(200)
  })

  it('have tokens that last a day to verify, and an hour to reset', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    await verified('', registrationOf(email, OTHER_PASSWORD))
    const late = await mailbox.tokenFor(email)
    now += 24 * HOUR_MS - 1
    expect((await verified('/verify', { token: await mailbox.tokenFor(email, 1) })).status).to.equal(200)
    await verified('/password-reset', { email })
    now += 1
    expect((await verified('/verify', { token: late })).status).to.equal(422)
    now += HOUR_MS
    const body = { token: await mailbox.tokenFor(email, 2), password: OTHER_PASSWORD }
    expect((await verified('/password-reset/confirm', body)).status).to.equal(422)
  })

  it('keep the password of an account that was made meanwhile', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    await verified('', registrationOf(email, OTHER_PASSWORD))
    await verified('/verify', { token: await mailbox.tokenFor(email) })
    expect((await verified('/verify', { token: await mailbox.tokenFor(email, 1) })).status).to.equal(200)
    expect((await verified('/login', { email, password: OTHER_PASSWORD })).status).to.equal(401)
    expect((await verified('/login', { email, password: PASSWORD })).status).to.equal(200)
  })

  it('set a new password, end every other sign-in, and void the letters before', async () => {
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

  it('can be used again when the ledger failed', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    const token = await mailbox.tokenFor(email)
    await api.fault('accounting', { status: 500 })
    const { status } = await verified('/verify', { token })
    expect(status).to.be.oneOf([502, 503])
    await api.well()
    now += 60_000
    expect((await verified('/verify', { token })).status).to.equal(200)
  })

  it('make one customer in the ledger of one mailbox, however many letters it proves at once', async () => {
    const email = newEmail()
    await verified('', registrationOf(email))
    await verified('', registrationOf(email))
    const tokens = [await mailbox.tokenFor(email), await mailbox.tokenFor(email, 1)]
    const replies = await Promise.all(tokens.map((token) => verified('/verify', { token })))
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200])
    expect(new Set(replies.map(({ body }) => body.customer.customer_id)).size).to.equal(1)
  })

  it('are lost without harm when the mail server refuses them, and the log does not say whose', async () => {
    const box = await startMailbox()
    const apart = await startApi({ mail: { url: box.url, from: FROM } })
    try {
      box.refuse()
      const email = newEmail()
      const { status } = await shopperCalls(apart, await apart.key({ mode: 'live' }))('', registrationOf(email))
      expect(status).to.equal(202)
      const log = await apart.logged()
      expect(log).to.include('a letter could not be sent')
      expect(log).to.not.include(email)
    } finally {
      await apart[Symbol.asyncDispose]()
      await box[Symbol.asyncDispose]()
    }
  })

  it('are still sent when the program ends', async () => {
    const apart = await startApi({ mail: { url: mailbox.url, from: FROM } })
    const email = newEmail()
    await shopperCalls(apart, await apart.key({ mode: 'live' }))('', registrationOf(email))
    await apart[Symbol.asyncDispose]()
    expect(mailbox.letters.filter(({ to }) => to === email)).to.have.length(1)
  })

  it('are not sent to an address that has no account', async () => {
    const [known, unknown] = [newEmail(), newEmail()]
    await account(known)
    await verified('/password-reset', { email: unknown })
    await verified('/password-reset', { email: known })
    await mailbox.letterTo(known, 1)
    expect(mailbox.letters.filter(({ to }) => to === unknown)).to.deep.equal([])
  })

  it('stand in the log where that is asked for, so that a person can copy the token', async () => {
    const apart = await startApi({ mail: { url: 'log:', from: FROM } })
    const email = newEmail()
    await shopperCalls(apart, await apart.key({ mode: 'live' }))('', registrationOf(email))
    const lines = (await apart.logged()).trim().split('\n')
    const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'mail')
    expect(line).to.include({ to: email, from: FROM })
    expect(line.text).to.match(/\n[0-9A-Za-z]{43}\n/)
  })
})
