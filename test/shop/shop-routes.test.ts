import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { shoppers } from '../../fixtures/shoppers.ts'
import { addSandboxShoppers } from '../../src/cli/sandbox/sandbox-shoppers.ts'
import { createEventStreams, type EventStreams } from '../../src/http/responses/event-streams.ts'
import type { ShopSettings } from '../../src/shop/server/shop-page.ts'
import { registerShop } from '../../src/shop/server/shop-routes.ts'
import { type Api, startApi } from '../support/api.ts'
import { sendHttpRequest } from '../support/send-http-request.ts'

const MAIN = '/shop/assets/shop/pages/main.ts'

describe('the demo’s shop', () => {
  let api: Api
  let streams: EventStreams

  before(async () => {
    const settings = Promise.withResolvers<ShopSettings>()
    streams = createEventStreams()
    api = await startApi({
      registerRoutes: (router) => registerShop(router, settings.promise, streams),
      prepare: (db) => addSandboxShoppers(db, 'acme'),
    })
    settings.resolve({
      name: 'Parts "R" <us>',
      address: api.address,
      publishableKey: await api.key(),
      secretKey: await api.key({ kind: 'secret' }),
      webhookSecret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
      pictureOrigin: 'http://pictures.example',
      operationsAddress: null,
    })
  })
  after(async () => {
    streams[Symbol.dispose]()
    await api[Symbol.asyncDispose]()
  })

  const read = (path: string, headers = {}) => sendHttpRequest(api.address, path, { headers })
  const call = (operation: string, body: unknown, headers = {}) =>
    sendHttpRequest(api.address, `/shop/account/${operation}`, { body, headers })

  describe('GET /shop', () => {
    it('is one page for every path, with a policy that allows no inline script or style', async () => {
      const { status, headers, text } = await read('/shop')
      expect(status).to.equal(200)
      expect(headers['content-security-policy']).to.equal(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' http://pictures.example; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
      )
      expect(text)
        .to.include('<title>Parts &#34;R&#34; &#60;us&#62;</title>')
        .and.to.not.match(/<style|style=|<script>|onclick/)
      for (const path of ['products/BP-1001', 'orders/1', 'invoices/1', 'sign-in', 'cart', 'checkout'])
        expect(await read(`/shop/${path}`), path).to.include({ status: 200, text })
      for (const path of ['none', 'register', 'products', 'cart/none', 'assets/none.ts'])
        expect(await read(`/shop/${path}`), path).to.include({ status: 404, text })
    })

    it('has one address', async () => {
      const { status, headers } = await read('/shop/?brand=Tamaro')
      expect([status, headers.location]).to.deep.equal([302, '/shop?brand=Tamaro'])
      expect((await read('/')).headers.location).to.equal('/shop')
    })

    it('never contains a secret', async () => {
      expect((await read('/shop')).text)
        .to.match(/svc_test_pub_/)
        .and.to.not.match(/_sec_|whsec/)
    })

    it('is revalidated', async () => {
      for (const path of ['/shop', MAIN]) {
        const { headers } = await read(path)
        expect(headers['cache-control']).to.equal('no-cache')
        expect((await read(path, { 'if-none-match': headers.etag })).status).to.equal(304)
      }
    })

    it('serves its scripts and the client without types and comments, and keeps their lines', async () => {
      for (const path of [MAIN, '/shop/assets/client/browser.ts', '/shop/assets/client/generated/operations.gen.ts']) {
        const { status, headers, text } = await read(path)
        const source = readFileSync(path.replace('/shop/assets', 'src'), 'utf8')
        expect(text.split('\n').length).to.equal(source.split('\n').length)
        expect([status, headers['content-type']]).to.deep.equal([200, 'text/javascript; charset=utf-8'])
        expect(text).to.not.match(/^(?:import|export) type|^(?:export )?interface/m)
        expect(text).to.not.match(/ $|^ *\/[*/]/m)
      }
    })

    it('serves its styles without comments', async () => {
      const path = '/shop/assets/shop/pages/shop.css'
      const source = readFileSync('src/shop/pages/shop.css', 'utf8')
      const { text } = await read(path)
      expect(source).to.match(/^ *\/\*/m)
      expect(text).to.equal(source.replace(/^ *\/\*.*$/gm, ''))
    })

    it('serves no other file', async () => {
      for (const path of ['tenant.ts', 'shop/server/shop-page.ts', 'shop/pages/../../tenant.ts', 'shop/pages/none.ts'])
        expect((await read(`/shop/assets/${path}`)).status, path).to.equal(404)
    })
  })

  describe('POST /shop/account/<operation>', () => {
    const { email, password } = shoppers.withCredit

    async function signIn(): Promise<string> {
      const reply = await call('logInShopper', { body: { email, password } })
      expect([reply.status, reply.body]).to.deep.equal([200, { status: 'SIGNED_IN' }])
      return reply.headers['set-cookie']![0]!
    }

    it('signs in with a cookie that scripts and other sites cannot use, and keeps the tokens', async () => {
      expect(await signIn()).to.match(/^forecourt_shop_\d+=\w{32}; path=\/shop; samesite=strict; httponly$/)
    })

    it('calls Forecourt for the shopper, at the shopper’s prices', async () => {
      const cookie = (await signIn()).split(';')[0]
      const me = await call('getMe', {}, { cookie })
      expect([me.status, me.body.email]).to.deep.equal([200, email])
      const cart = await call('createCart', {}, { cookie })
      const line = { cart_id: cart.body.cart_id, body: { sku: 'BP-1001', quantity: 2 } }
      const headers = { cookie, 'if-match': '"1"' }
      expect((await call('addCartLine', line, headers)).body.item_count).to.equal(1)
      expect((await call('addCartLine', line, headers)).body.code).to.equal('cart_version_mismatch')
    })

    it('passes simulated faults on', async () => {
      const cookie = (await signIn()).split(';')[0]
      const headers = { cookie, 'x-sandbox-fault': 'pricing=timeout' }
      const { status, body, headers: replied } = await call('getProduct', { sku: 'BP-1001' }, headers)
      expect([status, body.price, body.errors[0].code]).to.deep.equal([200, null, 'downstream_timeout'])
      expect(replied['forecourt-complete']).to.equal('false')
    })

    it('knows nobody without the cookie, after the sign-out, or with a cookie of its own making', async () => {
      const cookie = (await signIn()).split(';')[0]
      expect((await call('logOutShopper', {}, { cookie })).status).to.equal(200)
      for (const given of [undefined, cookie, `${cookie!.split('=')[0]}=`])
        expect((await call('getMe', {}, { cookie: given })).body.code).to.equal('missing_shopper_token')
    })

    it('keeps a shopper signed in who signs in to another demo on this machine, at another port', async () => {
      const cookie = (await signIn()).split(';')[0]!
      const atOtherPort = { cookie, host: 'localhost:1' }
      const other = await call('logInShopper', { body: shoppers.cashOnly }, atOtherPort)
      const otherCookie = other.headers['set-cookie']![0]!.split(';')[0]
      const me = await call('getMe', {}, { cookie: `${cookie}; ${otherCookie}` })
      expect([me.status, me.body.email]).to.deep.equal([200, email])
    })

    it('refuses forms, broken JSON and other operations', async () => {
      const cookie = (await signIn()).split(';')[0]
      const reply = async (operation: string, body: unknown, headers = {}) =>
        (await call(operation, body, { cookie, ...headers })).status
      expect(await reply('getMe', '{}', { 'content-type': 'text/plain' })).to.equal(415)
      expect(await reply('getMe', '{')).to.equal(422)
      for (const operation of ['listWebhooks', 'createWebhook', 'constructor', 'forShopper', '__proto__'])
        expect(await reply(operation, {}), operation).to.equal(404)
    })

    it('responds with 500 to a TypeError of its own', async () => {
      const { fetch } = globalThis
      globalThis.fetch = () => Promise.resolve(Response.json({ shopper_token: '' }))
      const login = call('logInShopper', { body: { email, password } })
      const { headers } = await login.finally(() => Object.assign(globalThis, { fetch }))
      const reply = await call('getMe', {}, { cookie: headers['set-cookie']![0]!.split(';')[0] })
      expect([reply.status, reply.body.code]).to.deep.equal([500, 'internal_error'])
    })

    it('refuses the pages of other sites, and lets them read nothing', async () => {
      const cookie = (await signIn()).split(';')[0]
      const ask = (site: string) =>
        call('getMe', {}, { cookie, 'sec-fetch-site': site, origin: 'https://other.example' })
      for (const site of ['cross-site', 'same-site', 'none']) {
        const { status, body, headers } = await ask(site)
        expect([status, body.code], site).to.deep.equal([403, 'origin_not_allowed'])
        expect(headers).to.not.have.property('access-control-allow-origin')
      }
      const own = await ask('same-origin')
      expect(own.status).to.equal(200)
      expect(own.headers).to.not.have.property('access-control-allow-origin')
    })

    it('passes on what Forecourt refuses, with the id by which support finds the call', async () => {
      const { status, body, headers } = await call('logInShopper', { body: { email, password: 'wrong' } })
      expect([status, body.code]).to.deep.equal([401, 'invalid_credentials'])
      expect(body.request_id).to.be.a('string').and.to.equal(headers['x-request-id'])
    })
  })
})

describe('a server without the demo', () => {
  it('has no shop', async () => {
    await using api = await startApi()
    for (const path of ['/', '/shop', MAIN]) expect((await sendHttpRequest(api.address, path)).status).to.equal(404)
    expect((await sendHttpRequest(api.address, '/shop/account/getMe', { body: {} })).status).to.equal(404)
  })
})
