import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { shoppers } from '../../../fixtures/shoppers.ts'
import { addSandboxShoppers } from '../../../src/cli/sandbox/sandbox-shoppers.ts'
import { setStock } from '../../../src/sandbox/control/inventory-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { freePort } from '../../support/free-port.ts'
import { sendHttpRequest } from '../../support/send-http-request.ts'
import { until } from '../../support/until.ts'
import { createProject, findFiles, readSteps, removeProject, runTool, writeFiles } from './guide-project.ts'

const run = promisify(execFile)
const manifest = JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8'))
const nameOf = /<h1>(.*?)<\/h1>/
const paragraphs = (html: string) => [...html.matchAll(/<p[^>]*>(.*?)<\/p>/g)].map(([, text]) => text)
const fieldOf = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)![1]!

/** The shop of the guide's steps 2 to 7, from its text to its orders. */
describe('the plain shop of the guide', () => {
  let api: Api
  let folder: string
  let server: ChildProcess
  let address: string
  let logged = ''
  let settings: Record<string, string>

  before(async () => {
    folder = await createProject(['hono', '@hono'])
    api = await startApi({ feedIntervalMs: 100, prepare: (db) => addSandboxShoppers(db, 'acme') })
    await until('the feeds have begun', async () => {
      const feeds = await api.db.selectFrom('feeds').select('baseline').where('tenant_id', '=', 'acme').execute()
      return feeds.length === 10 && feeds.every(({ baseline }) => baseline === 0)
    })
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    settings = {
      PORT: String(port),
      FORECOURT_URL: api.address,
      FORECOURT_SECRET_KEY: await api.key({ kind: 'secret' }),
      FORECOURT_PUBLISHABLE_KEY: await api.key(),
      SHOP_URL: address,
    }
    for (const step of [3, 4, 5, 6, 7]) await writeFiles(join(folder, `step-${step}`), findFiles(readSteps(2, step)))
    await writeFiles(folder, findFiles(readSteps(2, 7)))
    const secrets: string[] = []
    for (const _ of ['the first time', 'again']) {
      const { stdout } = await run(process.execPath, ['subscribe.ts'], { cwd: folder, env: settings })
      secrets.push(/^WEBHOOK_SECRET=(whsec_.+)\n$/.exec(stdout)![1]!)
    }
    expect(new Set(secrets).size).to.equal(2)
    Object.assign(settings, { WEBHOOK_SECRET: secrets[1] })
    const build = /scripts\.prestart="esbuild (.*)"/.exec(readSteps(4))![1]!
    await runTool(folder, 'esbuild', build.split(' '))
    server = spawn(process.execPath, ['server.ts'], {
      cwd: folder,
      env: settings,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    server.stderr!.setEncoding('utf8').on('data', (text) => {
      logged += text
    })
    const [line] = await once(server.stdout!, 'data')
    expect(String(line)).to.equal(`${address}\n`)
  })
  after(async () => {
    server?.kill()
    await api?.[Symbol.asyncDispose]()
    await removeProject(folder)
  })

  const load = async (path: string, cookie = '') => {
    const response = await fetch(`${address}${path}`, { headers: { cookie }, redirect: 'manual' })
    const html = await response.text()
    return {
      status: response.status,
      location: response.headers.get('location'),
      html,
      heading: nameOf.exec(html)?.[1],
    }
  }
  const post = (path: string, fields: Record<string, string>, cookie = '') =>
    fetch(`${address}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { cookie },
      redirect: 'manual',
    })
  async function signIn({ email, password }: { email: string; password: string }): Promise<string> {
    const response = await post('/login', { email, password })
    expect([response.status, response.headers.get('location')]).to.deep.equal([303, '/cart'])
    const cookie = response.headers.get('set-cookie')!
    expect(cookie).to.match(/^session=[\w-]{36}; Path=\/; HttpOnly; SameSite=Lax$/)
    return cookie.split(';')[0]!
  }
  async function fillCart(cookie: string, sku: string): Promise<Record<string, string>> {
    const added = await post('/cart', { sku, quantity: '2' }, cookie)
    expect([added.status, added.headers.get('location')]).to.deep.equal([303, '/cart'])
    const { html } = await load('/cart', cookie)
    return Object.fromEntries(['cart', 'amount', 'currency', 'key'].map((name) => [name, fieldOf(html, name)]))
  }

  it('installs what is tested', () => {
    const { dependencies, devDependencies, version } = manifest
    const tested = { ...dependencies, ...devDependencies }
    // Next.js brings its own checks of types, and was tried with this compiler.
    const named = [...readSteps(2, 8).matchAll(/(?<= )(@?[a-z][\w/-]*)@(\d[\d.]*)/g)]
      .map(([, name, pinned]) => [name!, pinned!] as const)
      .filter(([name, pinned]) => name !== 'next' && `${name}@${pinned}` !== 'typescript@5.9.3')
    expect(named.length).to.be.at.least(7)
    expect(named.filter(([name, pinned]) => tested[name] !== pinned)).to.deep.equal([])
    expect(readSteps(2, 8).match(/forecourt-client-[\d.]+\d/g)).to.deep.equal(
      Array(2).fill(`forecourt-client-${version}`),
    )
  })

  it('compiles after every step', async () => {
    expect(await runTool(folder, 'tsc', ['--project', '.'])).to.equal('')
  })

  it('lists and finds products', async () => {
    const { status, html } = await load('/')
    expect([status, html.match(/<li>/g)?.length]).to.deep.equal([200, 20])
    expect((await load('/?q=oil')).html).to.include('value="oil"')
  })

  it('shows the four states of a price', async () => {
    const complete = await load('/products/BP-1001')
    expect(complete).to.include({ status: 200, heading: 'Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty' })
    expect(paragraphs(complete.html).slice(0, 2)).to.deep.equal(['6188.00 JMD', 'In stock'])
    const degraded = await load('/products/BP-1001?fault=pricing=error')
    expect(degraded).to.include({ status: 200, heading: complete.heading })
    expect(paragraphs(degraded.html).slice(0, 2)).to.deep.equal(['We cannot show the price right now.', 'In stock'])
    expect([complete, degraded].map(({ html }) => html.includes('Add to cart'))).to.deep.equal([true, true])
    const unpriced = await load('/products/BP-1009')
    expect(paragraphs(unpriced.html)[0]).to.equal('Ask us for the price.')
    expect(unpriced.html).to.not.include('Add to cart')
  })

  it('shows an old price as one that may have changed', async () => {
    const product = { price: { amount: '1.00', currency: 'JMD' }, errors: [{ field: 'price', stale: true }] }
    const program = `import { priceOf } from './product-parts.ts'\nconsole.log(String(priceOf(${JSON.stringify(product)})))`
    const { stdout } = await run(process.execPath, ['-e', program], { cwd: folder, env: settings })
    expect(stdout).to.equal('<p>1.00 JMD (may have changed)</p>\n')
  })

  it('stores no page that lacks a section', async () => {
    const path = '/products/OF-1001'
    await api.fault('pricing', { status: 503 })
    expect(paragraphs((await load(path)).html)[0]).to.equal('We cannot show the price right now.')
    await api.clearFaults()
    expect(paragraphs((await load(path)).html)[0]).to.match(/^\d+\.\d\d JMD$/)
  })

  it('says what it does not have', async () => {
    expect(await load('/products/none')).to.include({ status: 404, heading: 'Not found' })
    expect(await load('/none')).to.include({ status: 404, heading: 'Not found' })
    expect(await load('/cart')).to.include({ status: 303, location: '/login' })
    expect((await load('/login')).heading).to.equal('Sign in')
  })

  it('orders once, however often the button is pressed', async () => {
    const cookie = await signIn(shoppers.withCredit)
    const fields = await fillCart(cookie, 'BP-1001')
    const pages = [await post('/checkout', fields, cookie), await post('/checkout', fields, cookie)]
    const [first, second] = await Promise.all(pages.map((page) => page.text()))
    expect(paragraphs(first!)[0]).to.equal('Thank you. Your order is placed.')
    expect(paragraphs(first!)[1]).to.match(/^SO-\d+$/)
    expect(second).to.equal(first)
    expect(paragraphs((await load('/cart', cookie)).html)).to.deep.equal(['Your cart is empty.'])
  })

  it('names a line that cannot be sold, and removes it', async () => {
    const cookie = await signIn(shoppers.contractPrices)
    await post('/cart', { sku: 'BP-1009', quantity: '1' }, cookie)
    const { html } = await load('/cart', cookie)
    expect(html).to.include('no price This product has no price at the moment; contact the shop.')
    expect(paragraphs(html)).to.deep.equal(['Remove what has no price to see the total.'])
    const line = { cart: fieldOf(html, 'cart'), line: fieldOf(html, 'line') }
    const removed = [await post('/cart/remove', line, cookie), await post('/cart/remove', line, cookie)]
    expect(removed.map(({ status }) => status)).to.deep.equal([303, 303])
    expect(paragraphs((await load('/cart', cookie)).html)).to.deep.equal(['Your cart is empty.'])
    const soldOut = await fillCart(cookie, 'BP-1003')
    expect(paragraphs(await (await post('/checkout', soldOut, cookie)).text())[0]).to.equal(
      'Remove what cannot be sold now from your cart: BP-1003',
    )
    const sold = (await load('/cart', cookie)).html
    await post('/cart/remove', { cart: fieldOf(sold, 'cart'), line: fieldOf(sold, 'line') }, cookie)
  })

  it('returns to the product that a visitor wanted to buy', async () => {
    const added = await post('/cart', { sku: 'BP-1001', quantity: '1' })
    expect([added.status, added.headers.get('location')]).to.deep.equal([303, '/login?sku=BP-1001'])
    const { email, password } = shoppers.withCredit
    const signedIn = await post('/login?sku=BP-1001', { email, password })
    expect([signedIn.status, signedIn.headers.get('location')]).to.deep.equal([303, '/products/BP-1001'])
  })

  it('responds to odd requests as HTTP says', async () => {
    const status = (method: string, path: string, type = '', body = '') =>
      sendHttpRequest(address, path, {
        method,
        ...(type && { headers: { 'content-type': type } }),
        ...(body && { body }),
      }).then((reply) => [method, path, reply.status])
    const form = 'application/x-www-form-urlencoded'
    expect([
      await status('GET', '/products/%'),
      await status('GET', '/products/.'),
      await status('GET', '//'),
      await status('TRACE', '/'),
      await status('HEAD', '/'),
      await status('GET', '/', form, 'a=1'),
      await status('POST', '/login', 'application/json', '{}'),
      await status('POST', '/login', form, 'a'.repeat(1_100_000)),
      await status('GET', '/products/BP-1001?fault=%E4%B8%96'),
    ]).to.deep.equal([
      ['GET', '/products/%', 404],
      ['GET', '/products/.', 404],
      ['GET', '//', 404],
      ['TRACE', '/', 404],
      ['HEAD', '/', 200],
      ['GET', '/', 200],
      ['POST', '/login', 415],
      ['POST', '/login', 413],
      ['GET', '/products/BP-1001?fault=%E4%B8%96', 422],
    ])
    const refused = await post('/cart', { sku: 'BP-1001', quantity: 'abc' }, await signIn(shoppers.withCredit))
    const html = await refused.text()
    expect(paragraphs(html)[0]).to.equal('Something that you entered is not valid.')
    const requestId = /<small>(.+)<\/small>/.exec(html)![1]!
    // The page and the log arrive in any order.
    await until('the problem is logged', () => logged.includes(`${requestId}\n`))
    const line = logged.split('\n').find((one) => one.endsWith(requestId))
    expect(line).to.equal(
      `validation_error: body.quantity: Field required (The member "quantity" of the body is null, which counts as missing. JSON.stringify writes NaN and Infinity as null.) ${requestId}`,
    )
  })

  it('says that its port is taken', async () => {
    const second = await run(process.execPath, ['server.ts'], { cwd: folder, env: settings }).catch((error) => error)
    expect([second.code, second.stderr]).to.deep.equal([
      1,
      `listen EADDRINUSE: address already in use ${address.slice(7)}. Is the port taken? Change PORT and SHOP_URL in .env\n`,
    ])
  })

  it('keeps the lines of a cart while pricing does not respond', async () => {
    const cookie = await signIn(shoppers.contractPrices)
    await fillCart(cookie, 'BP-1001')
    await api.fault('pricing', { status: 503 })
    const { status, html } = await load('/cart', cookie)
    await api.clearFaults()
    expect([status, html.match(/<li>/g)?.length]).to.deep.equal([200, 1])
    expect(paragraphs(html)).to.deep.equal(['We cannot show the total right now. Try again in a moment.'])
    expect(html).to.not.include('Place the order')
    // The failures may have opened the circuit, which closes by itself.
    await until('there is a total again', async () => (await load('/cart', cookie)).html.includes('Place the order'))
  })

  it('orders nothing over the credit limit, or above the total that was shown', async () => {
    const cookie = await signIn(shoppers.overLimit)
    const fields = await fillCart(cookie, 'BP-1001')
    const over = await post('/checkout', fields, cookie)
    expect(paragraphs(await over.text())[0]).to.match(/^This order is over your credit limit\. Nothing was ordered/)
    const outdated = await post('/checkout', { ...fields, amount: '0.01', key: crypto.randomUUID() }, cookie)
    expect([outdated.status, paragraphs(await outdated.text())[0]]).to.deep.equal([
      409,
      `The total is now ${fields.amount} JMD. Nothing was ordered: look at your cart again.`,
    ])
    const refused = await post('/login', { email: shoppers.overLimit.email, password: 'wrong' })
    expect(await refused.text()).to.include('The email address or the password is incorrect.')
  })

  it('shows a change after its webhook, and believes no other', async () => {
    const stock = async () => paragraphs((await load('/products/BP-1001')).html)[1]
    expect(await stock()).to.equal('In stock')
    await setStock(api.systems.inventory.controlAddress, 'acme', 'BP-1001', { available: 0 })
    await until('the page shows the change', async () => (await stock()) === 'Out of stock')
    const forged = await fetch(`${address}/hooks`, { method: 'POST', body: '{"data":{"sku":"BP-1001"}}' })
    expect(forged.status).to.equal(400)
  })

  it('refreshes the page in the browser', async () => {
    const stock = { textContent: '' }
    const found: Record<string, unknown> = { '[data-sku]': { dataset: { sku: 'BP-1001' } }, '[data-stock]': stock }
    const listeners: (() => void)[] = []
    const document = {
      body: { dataset: { api: api.address, key: settings.FORECOURT_PUBLISHABLE_KEY } },
      visibilityState: 'hidden',
      querySelector: (selector: string) => found[selector] ?? null,
      addEventListener: (_: string, listener: () => void) => listeners.push(listener),
    }
    const script = await (await fetch(`${address}/public/product.js`)).text()
    const opened: string[] = []
    const location = { pathname: '/products/BP-1001', replace: (path: string) => opened.push(path) }
    new Function('document', 'location', script)(document, location)
    listeners[0]!()
    expect(stock.textContent).to.equal('')
    document.visibilityState = 'visible'
    listeners[0]!()
    await until('the stock is shown', () => /^(In|Out of) stock$/.test(stock.textContent))
    expect(opened).to.deep.equal([])
    found['[data-missing]'] = {}
    listeners[0]!()
    await until('the page is loaded again', () => opened[0] === '/products/BP-1001')
  })
})
