import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { startApi } from '../../support/api.ts'
import { startMailbox } from '../../support/mailbox.ts'
import { newEmail, PASSWORD, registrationOf, shopperAccountCalls } from '../../support/shopper-account-calls.ts'

describe("a shopper's secrets", () => {
  it('are neither in the store nor in the log', async () => {
    await using mailbox = await startMailbox()
    // With the cost of production, which the hashes in the store show.
    const mail = { url: mailbox.url, from: 'shop@parts.example' }
    await using api = await startApi({ mail, passwordCost: undefined })
    const post = shopperAccountCalls(api, await api.key({ mode: 'live' }))
    const email = newEmail()
    await post('', registrationOf(email))
    const proof = await mailbox.tokenFor(email)
    const first = await post('/verify', { token: proof, password: PASSWORD })
    const second = await post('/refresh', { refresh_token: first.body.refresh_token })
    await post('/login', { email, password: `${PASSWORD}!` })
    await post('/password-reset', { email })
    const reset = await mailbox.tokenFor(email, 1)
    await post('/password-reset/confirm', { token: reset, password: `${PASSWORD}?` })
    await post('/login', { email: 1, password: PASSWORD })
    const tokens = [first, second].flatMap(({ body }) => [body.shopper_token, body.refresh_token])
    const folder = dirname(api.store.slice('sqlite:'.length))
    const store = readdirSync(folder).filter((name) => name.startsWith('forecourt.db'))
    const held = store.map((name) => readFileSync(join(folder, name), 'latin1')).join('\n')
    const log = await api.stopAndReadLog()
    expect(held).to.include('$argon2id$v=19$m=19456,t=2,p=1$').and.include(email)
    expect(log).to.include('/v1/shoppers/login').and.not.include(email)
    for (const secret of [PASSWORD, proof, reset, ...tokens]) {
      expect(secret).to.have.length.at.least(20)
      expect(held).to.not.include(secret)
      expect(log).to.not.include(secret)
    }
  })
})
