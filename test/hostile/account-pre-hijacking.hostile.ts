import { expect } from 'chai'
import { startMailbox } from '../support/mailbox.ts'
import { startServerProcess } from './server-process.ts'

const STRANGERS_PASSWORD = 'chosen by a stranger'

describe('a stranger who registers with the address of somebody else', () => {
  it('has no password and no session once the owner has confirmed the address', async () => {
    await using mailbox = await startMailbox()
    await using server = await startServerProcess({
      config: { mail: { url: mailbox.url, from: 'shop@acme.example' } },
      merchant: { registration: 'verified' },
    })
    const authorization = `Bearer ${await server.issueKey()}`
    const post = async (path: string, body: object) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await fetch(`${server.address}/v1/shoppers${path}`, init)).status
    }
    for (const email of ['new@victim.example', 'parts@mobay-garage.example']) {
      const name = { first_name: 'Ann', last_name: 'Other' }
      expect(await post('', { email, password: STRANGERS_PASSWORD, ...name })).to.equal(202)
      expect(await post('/verify', { token: await mailbox.tokenFor(email) })).to.equal(200)
      expect(await post('/login', { email, password: STRANGERS_PASSWORD })).to.equal(401)
      const reset = { token: await mailbox.tokenFor(email, 1), password: 'chosen by the owner' }
      expect(await post('/password-reset/confirm', reset)).to.equal(200)
      expect(await post('/login', { email, password: reset.password })).to.equal(200)
    }
  })
})
