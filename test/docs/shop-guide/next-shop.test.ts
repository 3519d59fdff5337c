import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mock } from 'node:test'
import { expect } from 'chai'
import { build } from 'esbuild'
import { Webhook } from 'standardwebhooks'
import { shoppers } from '../../../fixtures/shoppers.ts'
import { addSandboxShoppers } from '../../../src/cli/sandbox/sandbox-shoppers.ts'
import { type Api, startApi } from '../../support/api.ts'
import { createProject, findFiles, readSteps, removeProject, runTool, writeFiles } from './guide-project.ts'

const standIn = join(import.meta.dirname, 'next-stand-in')
const standIns = Object.fromEntries(
  ['cache', 'headers', 'navigation'].map((name) => [`next/${name}`, join(standIn, `${name}.ts`)]),
)
const SECRET = `whsec_${Buffer.alloc(24, 3).toString('base64')}`
/** Renders a page as Next.js does for its first response. */
const ENTRY = `
import { createElement } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import Layout from './app/layout.tsx'
import ErrorPage from './app/error.tsx'
import List from './app/page.tsx'
import Product from './app/products/[sku]/page.tsx'
import Login from './app/login/page.tsx'
import Cart from './app/cart/page.tsx'
import Done from './app/done/page.tsx'
export * from './app/actions.ts'
export { POST } from './app/hooks/route.ts'

const pages = { ErrorPage, List, Product, Login, Cart, Done }
export async function render(name, searchParams = {}, params = {}) {
  const props = { params: Promise.resolve(params), searchParams: Promise.resolve(searchParams) }
  const page = createElement(Layout, null, createElement(pages[name], props))
  const stream = await renderToReadableStream(page, { onError() {} })
  await stream.allReady
  return new Response(stream).text()
}
`

type Action = (problem: string, form: FormData) => Promise<string>

interface Shop {
  render(
    page: 'ErrorPage' | 'List' | 'Product' | 'Login' | 'Cart' | 'Done',
    searchParams?: Record<string, string>,
    params?: Record<string, string>,
  ): Promise<string>
  signIn: Action
  addLine: Action
  removeLine: Action
  checkOut: Action
  POST(request: Request): Promise<Response>
}

const textsOf = (html: string) => [...html.matchAll(/<(?:p|h1|li)[^>]*>(.*?)<\/(?:p|h1|li)>/g)].map(([, text]) => text)
const fieldOf = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)![1]!
const failureOf = (call: Promise<unknown>) => call.then(() => undefined).catch((error) => error)
/** Returns where an action goes. */
const placeOf = async (action: Promise<string>): Promise<string> => (await failureOf(action)).location

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const mockConsoleError = () => mock.method(console, 'error', (..._line: unknown[]) => undefined)

/** Next.js itself is large, so three modules stand in for what the shop uses of it. */
describe('the Next.js shop of the guide', () => {
  let api: Api
  let folder: string
  let shop: Shop
  let settings: Record<string, string>
  let logged: ReturnType<typeof mockConsoleError>
  /** Returns the messages of the problems that the shop has logged since the last call, without the ids of their requests. */
  function takeLog(): string[] {
    const lines = logged.mock.calls.map(({ arguments: [message] }) => String(message))
    logged.mock.resetCalls()
    return lines
  }

  before(async () => {
    folder = await createProject(['react', 'react-dom'])
    const plain = join(folder, 'my-shop')
    await writeFiles(plain, findFiles(readSteps(2, 7)))
    const next = join(folder, 'next-shop')
    await writeFiles(next, findFiles(readSteps(8)))
    await mkdir(join(next, 'lib'), { recursive: true })
    for (const name of ['forecourt.ts', 'sessions.ts', 'cart.ts', 'problem-text.ts'])
      await copyFile(join(plain, name), join(next, 'lib', name))
    await writeFile(join(next, 'entry.jsx'), ENTRY)
    api = await startApi({ prepare: (db) => addSandboxShoppers(db, 'acme') })
    settings = {
      FORECOURT_URL: api.address,
      FORECOURT_SECRET_KEY: await api.key({ kind: 'secret' }),
      FORECOURT_PUBLISHABLE_KEY: await api.key(),
      WEBHOOK_SECRET: SECRET,
    }
    Object.assign(process.env, settings)
    const outfile = join(folder, 'shop.mjs')
    await build({
      entryPoints: [join(next, 'entry.jsx')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['react', 'react-dom'],
      alias: standIns,
      inject: [join(standIn, 'fetch.ts')],
      logLevel: 'error',
    })
    shop = await import(outfile)
  })
  beforeEach(() => {
    logged = mockConsoleError()
  })
  afterEach(() => {
    logged.mock.restore()
    expect(takeLog()).to.deep.equal([])
  })
  after(async () => {
    for (const name of Object.keys(settings ?? {})) delete process.env[name]
    await api?.[Symbol.asyncDispose]()
    await removeProject(folder)
  })

  const showProduct = async (sku: string, searchParams = {}) =>
    textsOf(await shop.render('Product', searchParams, { sku }))

  function receive(sku: string, secret = SECRET): Promise<Response> {
    const [id, at, body] = ['evt_1', new Date(), JSON.stringify({ type: 'stock.changed', data: { sku } })]
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    }
    return shop.POST(new Request('http://shop/hooks', { method: 'POST', headers, body }))
  }

  /** Returns how often Forecourt was called. */
  async function countCalls(read: () => Promise<unknown>): Promise<number> {
    const { fetch } = globalThis
    let calls = 0
    globalThis.fetch = (...request) => {
      calls += 1
      return fetch(...request)
    }
    await read().finally(() => Object.assign(globalThis, { fetch }))
    return calls
  }

  it('compiles', async () => {
    const paths = Object.fromEntries(Object.entries(standIns).map(([name, path]) => [name, [path]]))
    const config = { extends: './tsconfig.json', compilerOptions: { paths, types: ['node', 'react'] } }
    await writeFile(join(folder, 'next-shop/tsconfig.test.json'), JSON.stringify(config))
    expect(await runTool(join(folder, 'next-shop'), 'tsc', ['--project', 'tsconfig.test.json'])).to.equal('')
  })

  it('lists products, and shows the states of a price', async () => {
    expect((await shop.render('List')).match(/<li>/g)).to.have.lengthOf(20)
    const [name, price, stock] = await showProduct('BP-1001')
    expect([price, stock]).to.deep.equal(['6188.00 JMD', 'In stock'])
    const degraded = await showProduct('BP-1001', { fault: 'pricing=error' })
    expect(degraded.slice(0, 3)).to.deep.equal([name, 'We cannot show the price right now.', 'In stock'])
    expect((await showProduct('BP-1009'))[1]).to.equal('Ask us for the price.')
    for (const sku of ['none', '%'])
      expect(await failureOf(shop.render('Product', {}, { sku }))).to.have.property('isNotFound', true)
    expect(textsOf(await shop.render('ErrorPage'))[0]).to.equal('Something went wrong')
  })

  it('stores a product until a signed event names it, and never shows a stored page that lacks a section', async () => {
    const read = async () => (await showProduct('OF-1001'))[1]
    await api.fault('pricing', { status: 503 })
    expect(await read()).to.equal('We cannot show the price right now.')
    await api.clearFaults()
    const price = await read()
    expect(price).to.match(/^\d+\.\d\d JMD$/)
    await receive('OF-1001')
    const calls = async () => countCalls(read)
    expect([await calls(), await calls()]).to.deep.equal([1, 0])
    expect((await receive('OF-1001', `whsec_${Buffer.alloc(24, 4).toString('base64')}`)).status).to.equal(400)
    expect((await receive('BP-1001')).status).to.equal(204)
    expect(await calls()).to.equal(0)
    expect((await receive('OF-1001')).status).to.equal(204)
    expect(await calls()).to.equal(1)
  })

  it('signs in, fills a cart and orders it', async () => {
    const { email, password } = shoppers.withCredit
    expect(await failureOf(shop.render('Cart'))).to.have.property('location', '/login')
    expect(await shop.signIn('', formOf({ email, password: 'wrong' }))).to.equal(
      'The email address or the password is incorrect.',
    )
    expect(takeLog()).to.deep.equal([
      'invalid_credentials: The email address or the password is incorrect. Try again, or set a new password: POST /v1/shoppers/password-reset.',
    ])
    const line = formOf({ sku: 'BP-1001', quantity: '2' })
    expect(await placeOf(shop.addLine('', line))).to.equal('/login?sku=BP-1001')
    expect(await shop.render('Login', { sku: 'BP-1001' })).to.include('name="sku" value="BP-1001"')
    expect(await placeOf(shop.signIn('', formOf({ email, password, sku: 'BP-1001' })))).to.equal('/products/BP-1001')
    expect(await placeOf(shop.signIn('', formOf({ email, password })))).to.equal('/cart')
    expect(await placeOf(shop.addLine('', line))).to.equal('/cart')
    const cart = await shop.render('Cart')
    const names = ['cart', 'amount', 'currency', 'key']
    const fields = Object.fromEntries(names.map((name) => [name, fieldOf(cart, name)]))
    expect(await shop.checkOut('', formOf({ ...fields, amount: '0.01', key: crypto.randomUUID() }))).to.equal(
      `The total is now ${fields.amount} JMD. Nothing was ordered: look at your cart again.`,
    )
    expect(takeLog()).to.deep.equal([
      'price_changed: The total is higher than expected_total. Show the cart to the shopper again.',
    ])
    const order = formOf(fields)
    const location = await placeOf(shop.checkOut('', order))
    expect(location).to.match(/^\/done\?state=placed&order=SO-\d+$/)
    expect(await placeOf(shop.checkOut('', order))).to.equal(location)
    const done = await shop.render('Done', { state: 'placed', order: 'SO-1' })
    expect(textsOf(done)).to.deep.equal(['Checkout', 'Thank you. Your order is placed.', 'SO-1'])
    for (const state of ['zzz', 'constructor'])
      expect(await failureOf(shop.render('Done', { state }))).to.have.property('isNotFound', true)
    expect(textsOf(await shop.render('Cart'))).to.include('Your cart is empty.')
  })

  it('names a line that cannot be sold, and removes it', async () => {
    const { email, password } = shoppers.contractPrices
    await placeOf(shop.signIn('', formOf({ email, password })))
    expect(await shop.render('Product', {}, { sku: 'BP-1009' })).to.not.include('Add to cart')
    expect(await placeOf(shop.addLine('', formOf({ sku: 'BP-1009', quantity: '1' })))).to.equal('/cart')
    const cart = await shop.render('Cart')
    expect(cart).to.include('no price This product has no price at the moment; contact the shop.')
    expect(textsOf(cart)).to.include('Remove what has no price to see the total.')
    const line = formOf({ cart: fieldOf(cart, 'cart'), line: fieldOf(cart, 'line') })
    expect(await placeOf(shop.removeLine('', line))).to.equal('/cart')
    expect(textsOf(await shop.render('Cart'))).to.include('Your cart is empty.')
    expect(await shop.addLine('', formOf({ sku: 'BP-1001', quantity: 'abc' }))).to.equal(
      'Something that you entered is not valid.',
    )
    expect(takeLog()).to.deep.equal([
      'validation_error: body.quantity: Field required (The member "quantity" of the body is null, which counts as missing. JSON.stringify writes NaN and Infinity as null.)',
    ])
  })
})
