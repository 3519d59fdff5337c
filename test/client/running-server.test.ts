import { expect } from 'chai'
import { addSandboxShoppers } from '../../src/cli/sandbox/sandbox-shoppers.ts'
import { createForecourt as createBrowserClient } from '../../src/client/browser.ts'
import { createForecourt, ForecourtError, type Session, sectionError } from '../../src/client/server.ts'
import { type Api, startApi } from '../support/api.ts'

describe('the client against a running server', () => {
  let api: Api
  let publishable: string
  let secret: string
  const requests: { path: string; status: number }[] = []
  const observed: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    requests.push({ path: new URL(String(input)).pathname, status: response.status })
    return response
  }
  const connect = () =>
    createForecourt({ url: api.address, key: secret, timeoutMs: 60_000, attemptTimeoutMs: 60_000, fetch: observed })

  before(async () => {
    api = await startApi()
    await addSandboxShoppers(api.db, 'acme')
    publishable = await api.key()
    secret = await api.key({ kind: 'secret' })
  })
  beforeEach(() => void requests.splice(0))
  after(() => api?.[Symbol.asyncDispose]())

  const signIn = () =>
    connect().logInShopper({ body: { email: 'parts@mobay-garage.example', password: 'sandbox-shopper-1' } })
  const expire = (session: Session): Session => ({ ...session, shopper_token: 'x'.repeat(43) })

  it('says why a section is missing', async () => {
    const product = await connect().getProduct({ sku: 'BP-1001' }, { headers: { 'X-Sandbox-Fault': 'pricing=error' } })
    expect(product.price).to.equal(null)
    expect(sectionError(product, 'price')?.code).to.equal('downstream_error')
    expect(sectionError(product, 'availability')).to.equal(undefined)
  })

  it('revalidates what it has, for each shopper separately', async () => {
    const shop = connect()
    const first = await shop.getProduct({ sku: 'BP-1001' })
    expect(await shop.getProduct({ sku: 'BP-1001' })).to.deep.equal(first)
    expect(requests.map(({ status }) => status)).to.deep.equal([200, 304])
    const shopper = shop.forShopper(await signIn())
    expect((await shopper.getProduct({ sku: 'BP-1001' })).price?.price_type).to.not.equal('LIST')
    expect(requests.at(-1)!.status).to.equal(200)
    expect((await shop.getProduct({ sku: 'BP-1001' })).price?.price_type).to.equal('LIST')
    expect(requests.at(-1)!.status).to.equal(304)
  })

  it('refreshes a session once for callers at the same time, and tells the new one', async () => {
    const shop = connect()
    const expired = expire(await signIn())
    requests.splice(0)
    const told: (Session | null)[] = []
    const options = { onSession: (session: Session | null) => void told.push(session) }
    const shoppers = [shop.forShopper(expired, options), shop.forShopper(expired, options)]
    const calls = shoppers.flatMap((shopper) => [shopper.getMe(), shopper.createCart(), shopper.listOrders()])
    const answers = await Promise.all(calls)
    expect(answers).to.have.lengthOf(6)
    expect(requests.filter(({ path }) => path.endsWith('/refresh'))).to.have.lengthOf(1)
    expect(told).to.deep.equal([shoppers[0]!.session, shoppers[1]!.session])
    expect(told[0]!.refresh_token).to.not.equal(expired.refresh_token)
  })

  it('tells when the shopper must sign in again', async () => {
    const told: (Session | null)[] = []
    const ended = { ...expire(await signIn()), refresh_token: 'y'.repeat(43) }
    const shopper = connect().forShopper(ended, { onSession: (session) => void told.push(session) })
    const error = await shopper.getMe().catch((error: unknown) => error)
    expect(error).to.be.instanceOf(ForecourtError).and.to.include({ status: 401 })
    expect(told).to.deep.equal([null])
  })

  it('goes from sign-in to an order', async () => {
    const shopper = connect().forShopper(await signIn())
    const { cart_id, version } = await shopper.createCart()
    await shopper.addCartLine({ cart_id, body: { sku: 'BP-1001', quantity: 1 } }, { ifMatch: version })
    const result = await shopper.checkout({ body: { cart_id, payment_method: 'CREDIT_TERMS' } })
    expect(result.state).to.equal('placed')
    const list = await connect().listProducts({ limit: 1, skus: ['BP-1001'] })
    expect(list.data.map(({ sku }) => sku)).to.deep.equal(['BP-1001'])
    const error = await shopper.getProduct({ sku: 'BP-1010' }).catch((error: unknown) => error)
    expect(error).to.include({ status: 404, code: 'not_found' }).and.to.have.property('requestId').that.is.a('string')
  })

  it('refuses the key of the other kind, and leaves the operations of a server out of pages', async () => {
    const url = api.address
    expect(() => createBrowserClient({ url, key: secret })).to.throw(TypeError, /secret key on your server/)
    expect(() => createForecourt({ url, key: publishable })).to.throw(TypeError, /not a secret one/)
    const page = createBrowserClient({ url, key: publishable })
    expect(page).to.include.keys('getProduct', 'logInShopper').and.to.not.have.any.keys('getMe', 'listWebhooks')
    expect(await page.getProduct({ sku: 'BP-1001' })).to.include({ sku: 'BP-1001' })
  })
})
