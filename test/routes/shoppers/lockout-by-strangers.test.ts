import { expect } from 'chai'
import { createActionThrottle } from '../../../src/commands/action-throttle.ts'
import { type Api, startApi } from '../../support/api.ts'
import { type Mailbox, startMailbox } from '../../support/mailbox.ts'
import { newEmail, PASSWORD, registrationOf, shopperAccountCalls } from '../../support/shopper-account-calls.ts'

const OWNER = '198.51.100.7'
const STRANGER = '203.0.113.9'
const NEW_PLACE = '192.0.2.1'
const tenant = { merchant: 'acme', mode: 'live' } as const

describe('strangers who try to lock a shopper out', function () {
  this.timeout(300_000)

  let api: Api
  let mailbox: Mailbox
  let post: ReturnType<typeof shopperAccountCalls>
  const now = Date.parse('2026-11-21T12:00:00.000Z')

  before(async () => {
    mailbox = await startMailbox()
    api = await startApi({ now: () => now, mail: { url: mailbox.url, from: 'shop@parts.example' } })
    post = shopperAccountCalls(api, await api.key({ kind: 'secret', mode: 'live' }))
  })
  after(async () => {
    await api[Symbol.asyncDispose]()
    await mailbox[Symbol.asyncDispose]()
  })

  /** Registers and confirms an account from the owner's address. */
  async function createAccount() {
    const email = newEmail()
    await post('', registrationOf(email), OWNER)
    const { body } = await post('/verify', { token: await mailbox.tokenFor(email), password: PASSWORD }, OWNER)
    return { email, session: body }
  }
  const logIn = async (email: string, password: string, address: string, device_token?: string) =>
    (await post('/login', { email, password, device_token }, address)).status
  const fail = (email: string, address: string, device?: string) =>
    logIn(email, 'not it, and not close', address, device)

  async function failUntilRefused(email: string, address: string, device?: string): Promise<number> {
    for (let attempts = 0; ; attempts++) if ((await fail(email, address, device)) === 429) return attempts
  }
  /** Uses up the limit of all unknown clients together, as many addresses would. */
  async function useUpMailbox(action: 'loginsByAccount' | 'registrationsByAccount' | 'resetsByAccount', email: string) {
    const throttle = createActionThrottle({ db: api.db, now: () => now })
    while (await throttle.tryTake(action, tenant, email)) {}
  }

  it('use up their own attempts only: from another address, the owner signs in', async () => {
    const { email } = await createAccount()
    expect(await failUntilRefused(email, STRANGER)).to.equal(20)
    expect(await logIn(email, PASSWORD, STRANGER)).to.equal(429)
    expect(await logIn(email, PASSWORD, NEW_PLACE)).to.equal(200)
  })

  it('do not lock out a known device, even at their own address', async () => {
    const { email, session } = await createAccount()
    const other = await createAccount()
    await failUntilRefused(email, STRANGER)
    await useUpMailbox('loginsByAccount', email)
    const { device_token } = (await post('/refresh', { refresh_token: session.refresh_token })).body
    expect(device_token).to.equal(session.device_token)
    const [id, signature] = device_token.split('.')
    for (const forged of [undefined, id, `${id}.`, `${id}x.${signature}`, other.session.device_token, 'x'.repeat(256)])
      expect(await logIn(email, PASSWORD, STRANGER, forged), forged).to.equal(429)
    expect(await logIn(email, PASSWORD, STRANGER, device_token)).to.equal(200)
    expect(await failUntilRefused(email, STRANGER, device_token)).to.equal(20)
  })

  it('do not lock out an address from which the owner signed in, however many addresses they have', async () => {
    const { email } = await createAccount()
    await useUpMailbox('loginsByAccount', email)
    expect(await logIn(email, PASSWORD, NEW_PLACE)).to.equal(429)
    expect(await logIn(email, PASSWORD, OWNER)).to.equal(200)
    expect(await failUntilRefused(email, OWNER)).to.equal(20)
  })

  it('do not learn from the limits whether an address has an account', async () => {
    const emails = [(await createAccount()).email, newEmail()]
    const statuses = []
    for (const email of emails) {
      const own = [await failUntilRefused(email, STRANGER), await fail(email, NEW_PLACE)]
      await useUpMailbox('loginsByAccount', email)
      statuses.push([...own, await fail(email, '192.0.2.77'), await fail(email, '192.0.2.78')])
    }
    expect(statuses).to.deep.equal([
      [20, 401, 429, 429],
      [20, 401, 429, 429],
    ])
  })

  it('make devices and addresses unknown by no means but a new password', async () => {
    const { email, session } = await createAccount()
    await post('/logout', { refresh_token: session.refresh_token })
    await useUpMailbox('loginsByAccount', email)
    expect(await logIn(email, PASSWORD, STRANGER, session.device_token)).to.equal(200)
    await post('/password-reset', { email }, NEW_PLACE)
    const reset = { token: await mailbox.tokenFor(email, 1), password: 'another horse entirely' }
    const { body } = await post('/password-reset/confirm', reset, NEW_PLACE)
    expect(await logIn(email, reset.password, OWNER)).to.equal(429)
    expect(await logIn(email, reset.password, OWNER, session.device_token)).to.equal(429)
    expect(await logIn(email, reset.password, OWNER, body.device_token)).to.equal(200)
    expect(await logIn(email, reset.password, NEW_PLACE)).to.equal(200)
  })

  const emailsTo = (address: string) => mailbox.emails.filter(({ to }) => to === address).length
  const requestReset = async (email: string, address: string, device_token?: string) =>
    (await post('/password-reset', { email, device_token }, address)).status

  it('do not keep the owner from a password reset', async () => {
    const { email } = await createAccount()
    const statuses = []
    for (let i = 0; i < 6; i++) statuses.push(await requestReset(email, STRANGER))
    expect(statuses).to.deep.equal([202, 202, 202, 202, 202, 429])
    expect(await requestReset(email, NEW_PLACE)).to.equal(202)
    const token = await mailbox.tokenFor(email, 6)
    const reply = await post('/password-reset/confirm', { token, password: 'another horse entirely' }, NEW_PLACE)
    expect(reply.status).to.equal(200)
  })

  it('do not keep the owner from registering by resets of an address that has no account yet', async () => {
    const email = newEmail()
    for (let stranger = 0; stranger < 12; stranger++)
      expect(await requestReset(email, `203.0.113.${100 + stranger}`)).to.equal(202)
    for (let reset = 0; reset < 5; reset++) await requestReset(email, OWNER)
    expect((await post('', registrationOf(email), OWNER)).status).to.equal(202)
    await post('/verify', { token: await mailbox.tokenFor(email), password: PASSWORD }, OWNER)
    expect(await requestReset(email, NEW_PLACE)).to.equal(202)
    await mailbox.tokenFor(email, 1)
  })

  it('do not fill a mailbox: later requests send nothing, except from a known device or address', async () => {
    const { email, session } = await createAccount()
    await useUpMailbox('resetsByAccount', email)
    await useUpMailbox('registrationsByAccount', email)
    expect(await requestReset(email, STRANGER)).to.equal(202)
    expect(await requestReset(newEmail(), STRANGER)).to.equal(202)
    expect((await post('', registrationOf(email), STRANGER)).status).to.equal(429)
    expect(await requestReset(email, OWNER)).to.equal(202)
    await mailbox.emailTo(email, 1)
    expect(await requestReset(email, STRANGER, session.device_token)).to.equal(202)
    await mailbox.emailTo(email, 2)
    expect(emailsTo(email)).to.equal(3)
  })
})
