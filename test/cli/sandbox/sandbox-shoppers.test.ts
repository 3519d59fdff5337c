import { expect } from 'chai'
import { shoppers } from '../../../fixtures/shoppers.ts'
import { addSandboxShoppers, removeSandboxShoppers } from '../../../src/cli/sandbox/sandbox-shoppers.ts'
import { type Api, startApi } from '../../support/api.ts'
import { shopperAccountCalls } from '../../support/shopper-account-calls.ts'

describe('sandbox shoppers', () => {
  let api: Api
  const { email, password } = shoppers.withCredit
  before(async () => {
    api = await startApi()
  })
  after(() => api[Symbol.asyncDispose]())

  it('are added once, and removed when the sandbox is no longer the embedded one', async () => {
    const post = shopperAccountCalls(api, await api.key())
    const secret = await api.key({ kind: 'secret' })
    for (let start = 0; start < 2; start++) await addSandboxShoppers(api.db, 'acme')
    const session = await post('/login', { email, password })
    expect([session.status, session.body.customer.customer_id]).to.deep.equal([200, 'C-1001'])
    const me = () =>
      api.request('/v1/me', { key: secret, headers: { 'x-storefront-shopper-token': session.body.shopper_token } })
    expect((await me()).status).to.equal(200)
    await removeSandboxShoppers(api.db, 'zenith')
    expect((await me()).status).to.equal(200)
    await removeSandboxShoppers(api.db, 'acme')
    expect((await me()).status).to.equal(401)
    expect((await post('/refresh', { refresh_token: session.body.refresh_token })).status).to.equal(401)
    expect((await post('/login', { email, password })).status).to.equal(401)
  })
})
