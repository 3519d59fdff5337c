import { resolve } from 'node:path'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { type FixtureShopper, shoppers } from '../../fixtures/shoppers.ts'
import { addSandboxShoppers } from '../../src/cli/sandbox/sandbox-shoppers.ts'
import { environment } from '../../src/config/environment/process-environment.ts'
import { createEventStreams, type EventStreams } from '../../src/http/responses/event-streams.ts'
import { setPrice } from '../../src/sandbox/control/pricing-control-client.ts'
import type { ShopSettings } from '../../src/shop/server/shop-page.ts'
import { registerShop } from '../../src/shop/server/shop-routes.ts'
import { type Api, startApi } from '../support/api.ts'
import { type BrowserSession, closeWindows, openBrowser, openBrowserSession } from './browser-session.ts'

const OPERATIONS = 'http://operations.example'
/** The pages, products and vehicles that do not exist. Other pages cause no error, and no hint. */
const EXPECTED = /status of 4(?:04|22)|^No vehicle has the value of vehicle_id/

/** What the first page may cost. Bytes and requests are the same on every machine, unlike times. */
const FIRST_PAGE = { codeBytes: 42_000, codeFiles: 28 }

/** What the tests use of an element of a page. */
interface Uncovered {
  scrollIntoView(options: { block: string }): void
  getBoundingClientRect(): { right: number; bottom: number }
  ownerDocument: { elementFromPoint(x: number, y: number): unknown }
}

interface Box {
  scrollWidth: number
  clientWidth: number
}

describe('the demo’s shop', () => {
  let api: Api
  let streams: EventStreams
  let browser: Browser
  let session: BrowserSession
  let page: Page

  before(async () => {
    const settings = Promise.withResolvers<ShopSettings>()
    streams = createEventStreams()
    api = await startApi({
      mirror: { maxAgeMs: 3_600_000 },
      registerRoutes: (router) => registerShop(router, settings.promise, streams),
      prepare: (db) => addSandboxShoppers(db, 'acme'),
    })
    await api.fillMirror({ vehicles: true })
    settings.resolve({
      name: 'Acme Parts',
      address: api.address,
      publishableKey: await api.key({ origins: ['*'] }),
      secretKey: await api.key({ kind: 'secret' }),
      webhookSecret: '',
      pictureOrigin: api.systems.inventory.address,
      operationsAddress: OPERATIONS,
    })
    browser = await openBrowser()
  })
  beforeEach(async () => {
    session = await openBrowserSession(browser, api.address)
    page = session.page
  })
  afterEach(() => session[Symbol.asyncDispose]())
  after(async () => {
    await closeWindows()
    streams[Symbol.dispose]()
    await api?.[Symbol.asyncDispose]()
  })

  const showsHeading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
  const click = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()

  /** Adds a product to the cart of the shopper who is signed in. */
  async function addToCart(sku: string): Promise<void> {
    await session.go(`/shop/products/${sku}`)
    await click('Add to cart')
    await page.locator('form.busy').waitFor({ state: 'detached' })
  }

  /** Calls an operation of the shopper who is signed in, as a page does. */
  async function act(operation: string, data: object) {
    const response = await page.request.post(`${api.address}/shop/account/${operation}`, { data })
    return response.json()
  }

  async function signIn({ email, password }: FixtureShopper): Promise<void> {
    await session.go('/shop/sign-in')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await click('Sign in')
    await showsHeading('All products')
  }

  /** Other tests leave products in the carts of shoppers. */
  async function emptyCart(): Promise<void> {
    const [cart] = (await act('listCarts', { limit: 1 })).data
    const { lines } = cart ? await act('getCart', { cart_id: cart.cart_id }) : { lines: [] }
    for (const { line_id } of lines) await act('deleteCartLine', { cart_id: cart.cart_id, line_id })
  }

  /** Refuses the next checkout as Forecourt does when accounting calculates another total, which may be lower than the one that was seen. */
  async function refuseCheckout(): Promise<void> {
    const [{ cart_id }] = (await act('listCarts', { limit: 1 })).data
    const problem = { status: 409, code: 'price_changed', detail: '', cart: await act('priceCart', { cart_id }) }
    await page.route('**/shop/account/checkout', (route) => route.fulfill({ status: 409, json: problem }), { times: 1 })
  }

  /** Checks rules of accessibility, the policy and scripts, and the width. */
  async function expectSound(): Promise<void> {
    expect(await session.findViolations(), page.url()).to.deep.equal([])
    expect(session.takeConsoleErrors().filter((error) => !EXPECTED.test(error))).to.deep.equal([])
    const overflowPx = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(overflowPx, `horizontal overflow of ${page.url()}`).to.be.at.most(0)
  }

  /** The picture of the README, which people see at about half its size. */
  async function takeScreenshot(): Promise<void> {
    const picture = sharp(await page.screenshot()).png({ palette: true, colours: 128, effort: 10 })
    await picture.toFile(resolve(import.meta.dirname, '../../docs/screens/shop.png'))
  }

  it('shows the first products after few and small requests', async () => {
    await session.go('/shop')
    await page.locator('.cards a').first().waitFor()
    const entries = await page.evaluate<{ path: string; bytes: number }[]>(
      `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) =>
        ({ path: new URL(entry.name).pathname, bytes: entry.transferSize }))`,
    )
    const code = entries.filter(({ path }) => /\.(?:[jt]s|css)$/.test(path))
    const bytes = code.reduce((sum, entry) => sum + entry.bytes, 0)
    expect(bytes, 'scripts and styles, compressed').to.be.within(1, FIRST_PAGE.codeBytes)
    expect(code.length, 'scripts and styles').to.be.at.most(FIRST_PAGE.codeFiles)
    const others = entries.filter(({ path }) => !/\.(?:[jt]s|css|webp)$/.test(path)).map(({ path }) => path)
    const expected = [
      '/shop',
      '/v1/products',
      '/v1/categories',
      '/v1/vehicles/years',
      '/shop/assets/shop/pages/icon.svg',
    ]
    expect(expected).to.include.members(others)
  })

  it('finds a product as one types, by keyboard, and products that fit a vehicle', async () => {
    await session.go('/shop')
    await showsHeading('All products')
    await expectSound()
    await page.getByRole('combobox', { name: 'Search' }).fill('BP-1001')
    await page.getByRole('option', { name: /BP-1001/ }).waitFor()
    await expectSound()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await showsHeading(/^Front Brake Pad Set, Honda CR-V/)
    expect(await page.evaluate('document.activeElement.id')).to.equal('page')
    await expectSound()

    for (const [path, name] of [
      ['/shop/products/NONE-1', 'There is no such product'],
      ['/shop/products/%E0%A4%A', 'There is no such product'],
      ['/shop/none', 'There is no such page'],
      ['/shop?sort=zzz&availability=FOO', 'There is no such page'],
      [`/shop/products/${'X'.repeat(200)}`, 'There is no such product'],
    ] as const) {
      await session.go(path)
      await showsHeading(name)
      expect(await page.getByRole('main').textContent()).to.equal(`${name}All products`)
      await expectSound()
    }
    await session.go('/')
    expect(new URL(page.url()).pathname).to.equal('/shop')
    await showsHeading('All products')
    const last = page.locator('.cards a').last()
    await last.scrollIntoViewIfNeeded()
    const top = await page.evaluate<number>('scrollY')
    expect(top).to.be.above(0)
    await last.click()
    await page.locator('.product').waitFor()
    await page.waitForFunction('scrollY === 0')
    await page.goBack()
    await showsHeading('All products')
    await page.waitForFunction(`scrollY === ${top}`)
    await page.getByRole('combobox', { name: 'Search' }).fill('oil')
    await page.keyboard.press('Enter')
    await showsHeading('“oil”')
    expect(await page.evaluate('scrollY')).to.equal(0)

    await session.go('/shop?brand=Tamaro&sort=price')
    await page.locator('.filters').getByRole('link', { name: 'In stock' }).click()
    await page.locator('.filters [aria-current="true"]').getByText('In stock').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('In stock')
    await page.locator('.filters').getByRole('link', { name: 'Newest' }).click()
    await page.locator('.filters [aria-current="true"]').getByText('Newest').waitFor()
    expect(new URL(page.url()).search).to.equal('?brand=Tamaro&sort=newest&availability=IN_STOCK')
    const choose = (name: string, option: string | { index: number }) =>
      page.getByLabel(name, { exact: true }).selectOption(option)
    await choose('Year', '2012')
    await choose('Make', 'Toyota')
    const fitting = page.waitForResponse(/\/v1\/products\?.*vehicle_id=/)
    await choose('Model', { index: 1 })
    const { pagination } = await (await fitting).json()
    await page.getByRole('status').getByText(`${pagination.total} product`).waitFor()
    await expectSound()
    await page.reload()
    await page.getByRole('button', { name: 'Any vehicle' }).waitFor()
    expect(await page.getByLabel('Make').inputValue()).to.equal('Toyota')
    await click('Any vehicle')
    await page.getByRole('button', { name: 'Any vehicle' }).waitFor({ state: 'detached' })
  })

  it('shows what is left when a system fails, and where support sees the request', async () => {
    await session.go('/shop/products/OL-1001')
    await page.getByText('From 10 litre').waitFor()
    await page.getByText('Break something').click()
    await page.getByLabel('Hang pricing').check()
    await page.getByText('Prices could not be read right now.').waitFor()
    expect(await page.locator('.product .prices').textContent()).to.equal('Price unavailable')
    const support = page.getByRole('listitem').filter({ hasText: '200, incomplete' }).getByRole('link')
    expect(await support.getAttribute('href')).to.match(/^http:\/\/operations\.example\/request\?id=\w+-\w+$/)
    await expectSound()
    if (environment.SCREENS) await takeScreenshot()
    await page.getByLabel('Hang pricing').uncheck()
    await page.getByText('From 10 litre').waitFor()
    const read = page.waitForResponse(/\/v1\/products\/OL-1001$/)
    await page.getByLabel('Hang accounting').check()
    expect((await read).headers()['forecourt-complete']).to.equal('false')
    await page.locator('main:not([aria-busy])').waitFor()
    expect(await page.locator('.notice').count(), 'a page without taxes lacks nothing').to.equal(0)
    await page.getByLabel('Hang accounting').uncheck()
    await page.getByLabel('Kill inventory').check()
    await showsHeading('This page cannot be shown right now')
    expect(await session.findViolations()).to.deep.equal([])
  })

  it('links a call to the operations pages only if they have a record of it', async () => {
    const calls = page.locator('.calls li')
    const linksOf = (outcome: string) => calls.filter({ hasText: outcome }).getByRole('link').count()
    await session.go('/shop/products/OL-1001')
    await page.getByText('Break something').click()
    await calls.filter({ hasText: 'GET /v1/products/OL-1001 200' }).waitFor()
    expect(await calls.getByRole('link').count(), 'of complete calls').to.equal(0)
    await session.go('/shop/products/NONE-1')
    await showsHeading('There is no such product')
    await page.getByText('Break something').click()
    await calls.filter({ hasText: 'failed, 404' }).first().waitFor()
    expect(await linksOf('failed, 404')).to.equal(0)
    await page.getByLabel('Kill inventory').check()
    await showsHeading('This page cannot be shown right now')
    const failed = calls.filter({ hasText: 'failed, 503' })
    expect(await linksOf('failed, 503'))
      .to.equal(await failed.count())
      .and.to.be.above(0)
  })

  it('says in the cart why there is no total, also to a shopper who opens the checkout', async () => {
    await session.go('/shop/sign-in')
    await click('Blue Mountain Fleet')
    await showsHeading('All products')
    await emptyCart()
    await addToCart('OL-1001')
    await session.go('/shop/products/BP-1009')
    await page.getByText('Price on request').waitFor()
    const name = await page.getByRole('heading', { level: 1 }).textContent()
    expect(await page.getByRole('button', { name: 'Add to cart' }).count()).to.equal(0)
    const [{ cart_id }] = (await act('listCarts', { limit: 1 })).data
    await act('addCartLine', { cart_id, body: { sku: 'BP-1009', quantity: 1 } })
    for (const path of ['/shop/cart', '/shop/checkout']) {
      await session.go(path)
      await showsHeading('Cart')
      expect(new URL(page.url()).pathname).to.equal('/shop/cart')
      const notices = page.getByRole('main').locator('.notice')
      expect(await notices.allTextContents()).to.deep.equal([
        'To order, remove what has no price, or ask us for one.',
        `${name}: This product has no price at the moment; contact the shop.`,
      ])
      const amounts = await page.locator('.lines .amount').allTextContents()
      expect(amounts.map((text) => text.replace(/\s+/g, ' ').trim())).to.deep.equal([
        'JMD 1,031.32 with tax Remove',
        'No price: ask us Remove',
      ])
      expect(await page.getByRole('link', { name: 'Check out' }).count()).to.equal(0)
      await expectSound()
    }
    await click('Remove BP-1009')
    await page.locator('#announcement').getByText(`${name} is removed`, { exact: true }).waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'Check out' }).click()
    await showsHeading('Check out')
    await emptyCart()
  })

  it('says that it cannot be reached when a page cannot be loaded', async () => {
    await session.go('/shop')
    await showsHeading('All products')
    await page.route('**/sign-in-page.ts', (route) => route.abort())
    const links = page.getByRole('navigation', { name: 'Account' })
    await links.getByRole('link', { name: 'Sign in' }).click()
    await showsHeading('This page cannot be shown right now')
    expect(await page.locator('.failure p').allTextContents()).to.deep.equal([
      'The shop cannot be reached. Are you online?',
    ])
    await page.unroute('**/sign-in-page.ts')
    await click('Try again')
    await showsHeading('Sign in')
  })

  it('shows a cart without amounts while it cannot be priced, and says what is missing', async () => {
    await session.go('/shop/sign-in')
    await click('Blue Mountain Fleet')
    await showsHeading('All products')
    await addToCart('OL-1001')
    await session.go('/shop/cart')
    await page.locator('.totals').waitFor()
    expect(await page.locator('.what').textContent()).to.match(/In stock\s+· JMD\s[\d.,]+ per litre/)
    const money = /JMD/
    const main = page.getByRole('main')
    expect(await main.textContent()).to.match(money)
    await page.getByText('Break something').click()
    for (const fault of ['Hang pricing', 'Hang accounting']) {
      await page.getByLabel(fault).check()
      await page.getByText('The totals cannot be calculated right now.').waitFor()
      expect(await page.getByLabel('Quantity of OL-1001').inputValue()).to.equal('1')
      expect(await main.textContent(), fault).to.not.match(money)
      expect(await page.locator('.lines .amount').textContent(), fault).to.match(/^\s*No price now\s+Remove\s*$/)
      expect(await page.getByRole('link', { name: 'Check out' }).count(), fault).to.equal(0)
      await page.getByLabel(fault).uncheck()
      await page.locator('.totals').waitFor()
    }
    await page.getByLabel('Kill inventory').check()
    const missing = page.locator('.notice').filter({ hasText: 'Names and pictures' })
    await missing.waitFor()
    expect(await missing.locator('p').textContent()).to.equal(
      'Names and pictures could not be read right now. Stock could not be read right now.',
    )
    expect(await page.locator('.lines li').count()).to.equal(1)
  })

  it('shows the quantity of the cart again after a change that failed, and no old message', async () => {
    await session.go('/shop/sign-in')
    await click('Black River Tractors')
    await showsHeading('All products')
    await addToCart('OL-1001')
    await addToCart('BP-1001')
    await session.go('/shop/cart')
    const quantity = page.getByLabel('Quantity of BP-1001')
    const problems = page.locator('form > .problem:not(:empty)')
    const enter = async (value: string) => {
      await quantity.fill(value)
      await quantity.blur()
    }
    await enter('0.3')
    await problems.waitFor()
    expect(await problems.textContent()).to.match(/^Quantity must be (?:a multiple of|at least) 1 \w+\.$/)
    expect(await quantity.inputValue()).to.equal('1')
    // The browser refuses this one, and says so.
    await enter('-4')
    expect(await problems.count(), 'an old message').to.equal(0)

    await page.route('**/shop/account/updateCartLine', (route) => route.abort())
    await enter('3')
    await page.getByText('The shop cannot be reached. Are you online?').waitFor()
    expect(await quantity.inputValue()).to.equal('1')
    await click('Remove OL-1001')
    await page.locator('#quantity-OL-1001').waitFor({ state: 'detached' })
    expect(await problems.count(), 'an old message').to.equal(0)
    await page.unroute('**/shop/account/updateCartLine')
    await enter('3')
    await page.locator('#quantity-BP-1001[value="3"]').waitFor()
    expect(await quantity.inputValue()).to.equal('3')
  })

  it('says that the catalog is being loaded, and shows it by itself', async () => {
    await page.clock.install()
    const loading = { status: 503, headers: { 'retry-after': '5' }, json: { code: 'catalog_loading', detail: '' } }
    const seen = Promise.withResolvers<void>()
    await page.route('**/v1/products?*', (route) => seen.promise.then(() => route.continue()))
    await page.route('**/v1/products?*', (route) => route.fulfill(loading), { times: 1 })
    await session.go('/shop')
    await showsHeading('The catalog is being loaded')
    expect(await session.findViolations()).to.deep.equal([])
    seen.resolve()
    await page.clock.runFor(5_000)
    await showsHeading('All products')
  })

  it('takes a product to an order over the credit limit, paid cash and cancelled, on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await session.go('/shop/products/BP-1001')
    await showsHeading(/Brake Pad/)
    await expectSound()
    await page.getByRole('link', { name: 'Sign in to buy' }).click()
    await page.getByLabel('Email').fill(shoppers.overLimit.email)
    await page.getByLabel('Password').fill(shoppers.overLimit.password)
    await expectSound()
    await click('Sign in')
    await showsHeading(/Brake Pad/)
    await click('Add to cart')
    await page.locator('.count').getByText('1').waitFor()
    await page.getByRole('link', { name: /^Cart/ }).click()
    await showsHeading('Cart')
    await page.getByLabel('Promotion code').fill('EASTER25')
    await click('Apply')
    await page.getByText('EASTER25 does not apply: expired.').waitFor()
    await expectSound()
    await page.getByRole('link', { name: 'Check out' }).click()
    await showsHeading('Check out')
    await page.getByLabel('Purchase order number').fill('PO-4711')
    await click('Place the order')
    await page.getByText('This order is over your credit limit').waitFor()
    expect(await page.evaluate('document.activeElement.id')).to.equal('outcome')
    await expectSound()
    await click('Pay cash on delivery')
    await showsHeading(/^Order SO-/)
    await page.getByText(', purchase order PO-4711').waitFor()
    await expectSound()
    const cancel = page.getByRole('button', { name: 'Yes, cancel it' })
    expect(await cancel.isVisible(), 'cancelled without a question').to.equal(false)
    await page.getByText('Cancel the order').press('Enter')
    await cancel.waitFor()
    await expectSound()
    await cancel.press('Enter')
    await page.getByText('Cancelled').waitFor()
  })

  it('loses no change, orders no cart that has changed, and notices the end of a session', async () => {
    const addLine = async (sku: string) => {
      const { cart_id } = await act('getCurrentCart', {})
      await act('addCartLine', { cart_id, body: { sku, quantity: 1 } })
    }
    await session.go('/shop/sign-in')
    await page.getByLabel('Email').fill('somebody@else.example')
    await click('A private customer')
    await showsHeading('All products')
    await act('createCart', {})
    await addLine('BP-1001')
    await page.getByRole('link', { name: /^Cart/ }).click()

    const held = Promise.withResolvers<void>()
    const sent: number[] = []
    await page.route('**/shop/account/updateCartLine', async (route) => {
      sent.push(route.request().postDataJSON().body.quantity)
      await held.promise
      await route.continue()
    })
    const quantity = page.getByLabel('Quantity of BP-1001')
    const enter = async (value: string) => {
      await quantity.fill(value)
      await quantity.blur()
    }
    for (const value of ['3', '4', '5']) await enter(value)
    // What is being typed stays when the page shows the changes.
    await page.getByLabel('Promotion code').fill('X'.repeat(65))
    await quantity.fill('12')
    held.resolve()
    await page.locator('#quantity-BP-1001[value="5"]').waitFor()
    expect(await quantity.inputValue()).to.equal('12')
    await quantity.blur()
    await page.locator('#quantity-BP-1001[value="12"]').waitFor()
    expect(sent).to.deep.equal([3, 4, 5, 12])
    await click('Apply')
    await page.getByText('Promotion code must have at most 64 characters.', { exact: true }).waitFor()
    await enter('-1')
    await page.locator('#quantity-BP-1001:invalid').waitFor()
    await page
      .locator('.amount')
      .getByText(/with tax/)
      .first()
      .waitFor()

    await page.getByRole('link', { name: 'Check out' }).click()
    await showsHeading('Check out')
    await addLine('OL-1001')
    await click('Place the order')
    await page.getByText(/^Your cart has changed since you saw it/).waitFor()

    await act('logOutShopper', {})
    await click('Place the order')
    await page.getByText('You are signed out. Sign in again.').waitFor()
    await page.getByRole('link', { name: /^Cart/ }).click()
    await showsHeading('You are signed out')
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Sign in' }).waitFor()
  })

  it('shows a sentence of its own for a problem that it does not know, never its detail', async () => {
    const detail = 'The frobnicator of the tenant is not configured.'
    const refuse = (request_id?: string) =>
      page.route('**/shop/account/logInShopper', (route) =>
        route.fulfill({ status: 409, json: { code: 'new_code', detail, request_id } }),
      )
    await session.go('/shop/sign-in')
    const problem = page.locator('.problem:not(:empty)')
    await refuse('req-77')
    await click('Mobay Garage')
    await problem.waitFor()
    expect(await problem.textContent()).to.equal('That did not work. Try again, or contact us and name request req-77.')
    await refuse()
    await page.reload()
    await click('Mobay Garage')
    await problem.waitFor()
    expect(await problem.textContent()).to.equal('That did not work. Try again in a moment.')
  })

  it('shows an account, also while accounting does not respond, and an invoice', async () => {
    await session.go('/shop/sign-in')
    await click('Mobay Garage')
    await page.getByRole('link', { name: /Garage/ }).click()
    await page.getByRole('link', { name: 'IN-100104' }).waitFor()
    await expectSound()
    const orders = page.getByRole('table', { name: 'Orders' }).getByRole('link')
    const pages = page.getByRole('navigation', { name: 'Pages of orders' })
    const newest = await orders.allTextContents()
    await pages.getByRole('link', { name: 'Next' }).click()
    await pages.getByText(/^11–/).waitFor()
    expect(newest).to.have.lengthOf(10)
    const older = await orders.allTextContents()
    expect(older).to.include('SO-100101')
    expect(older.filter((order) => newest.includes(order))).to.deep.equal([])
    await expectSound()
    await pages.getByRole('link', { name: 'Previous' }).click()
    await pages.getByText(/^1–10 of/).waitFor()
    expect(await orders.allTextContents()).to.deep.equal(newest)
    const old = { field: 'credit', code: 'downstream_timeout', detail: '', stale: true, as_of: '2026-11-27T10:00:00Z' }
    await page.route(
      '**/shop/account/getCreditStatus',
      async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), errors: [old] } })
      },
      { times: 1 },
    )
    await page.reload()
    await page.getByText(/^Credit: last read at \d\d:\d\d, and may be out of date\.$/).waitFor()
    await page.getByText('Limit', { exact: true }).waitFor()
    await expectSound()
    await page.getByText('Break something').click()
    await page.getByLabel('Hang accounting').check()
    await page.getByText(/^Credit could not be read right now/).waitFor()
    await page.reload()
    await showsHeading('Your account')
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    session.takeConsoleErrors()
    await page.getByText('Break something').click()
    await page.getByLabel('Hang accounting').uncheck()
    await page.getByText('Break something').click()
    await page.getByRole('link', { name: 'IN-100104' }).click()
    await showsHeading('Invoice IN-100104')
    await expectSound()
    await click('Sign out')
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
  })

  it('tells of a sign-in that takes long, and does not wait for the name of the shopper', async () => {
    await page.clock.install()
    const [signInHeld, nameHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/shop/account/logInShopper', (route) => signInHeld.promise.then(() => route.continue()))
    await page.route('**/shop/account/getMe', (route) => nameHeld.promise.then(() => route.continue()))
    await session.go('/shop/sign-in')
    await click('Mobay Garage')
    await page.locator('form.busy').waitFor()
    const spinner = "getComputedStyle(document.querySelector('form.busy button'), '::after').animationName"
    expect(await page.evaluate(spinner)).to.equal('turn')
    await page.clock.runFor(1_000)
    expect(await page.locator('#announcement').textContent()).to.equal('Please wait')
    signInHeld.resolve()
    await showsHeading('All products')
    const links = page.getByRole('navigation', { name: 'Account' })
    await links.getByRole('link', { name: 'Your account' }).waitFor()
    nameHeld.resolve()
    await links.getByRole('link', { name: 'MoBay Garage' }).waitFor()
    await expectSound()
  })

  it('sends an order again under the key of its first attempt, which may still be in progress', async () => {
    await session.go('/shop/sign-in')
    await click('A private customer')
    await showsHeading('All products')
    await addToCart('BP-1001')
    const keys: (string | undefined)[] = []
    await page.route('**/shop/account/checkout', (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      const inProgress = { status: 409, json: { code: 'idempotency_in_flight', detail: '' } }
      return keys.length < 3 ? route.fulfill(inProgress) : route.continue()
    })
    await session.go('/shop/checkout')
    await click('Place the order')
    await page.getByText('This is still in progress. Try again in a moment.').waitFor()
    await click('Place the order')
    await showsHeading(/^Order SO-/)
    expect([keys.length, new Set(keys).size]).to.deep.equal([3, 1])
  })

  it('adds a product once when its button is clicked twice', async () => {
    await session.go('/shop/sign-in')
    await click('A private customer')
    await showsHeading('All products')
    await addToCart('BP-1001')
    let calls = 0
    await page.route('**/shop/account/addCartLine', (route) => {
      calls++
      return route.continue()
    })
    await session.go('/shop/products/OL-1001')
    const button = page.getByRole('button', { name: 'Add to cart' })
    await button.dblclick()
    await page.locator('form.busy').waitFor({ state: 'detached' })
    await page.locator('.count').getByText('2').waitFor()
    await page.locator('main:not([aria-busy])').waitFor()
    expect(calls).to.equal(1)
  })

  it('counts each click after a double click, also while the first is in progress, and says what is in the cart', async () => {
    await page.clock.install()
    await session.go('/shop/sign-in')
    await click('A private customer')
    await showsHeading('All products')
    await emptyCart()
    await session.go('/shop/products/BP-1001')
    const held = Promise.withResolvers<void>()
    let calls = 0
    await page.route('**/shop/account/addCartLine', async (route) => {
      calls++
      await held.promise
      await route.continue()
    })
    const button = page.getByRole('button', { name: 'Add to cart' })
    await button.dblclick()
    await page.locator('form.busy').waitFor()
    await page.clock.runFor(300)
    await button.click()
    held.resolve()
    await page.getByText('Added. 2 in your cart').waitFor()
    await page.locator('form.busy').waitFor({ state: 'detached' })
    expect(calls).to.equal(2)
    expect(await page.locator('#announcement').textContent()).to.match(/^Added\. 2 of Front Brake Pad Set/)
    await expectSound()
    await page.getByRole('main').getByRole('link', { name: 'your cart' }).click()
    await showsHeading('Cart')
    expect(await page.getByLabel('Quantity of BP-1001').inputValue()).to.equal('2')
  })

  it('leaves “Add to cart” uncovered on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await session.go('/shop/sign-in')
    await click('A private customer')
    await showsHeading('All products')
    await session.go('/shop/products/BP-1001')
    const button = page.getByRole('button', { name: 'Add to cart' })
    await button.waitFor()
    for (const block of ['start', 'center', 'end']) {
      const covers = await button.evaluate((element: Uncovered, place) => {
        element.scrollIntoView({ block: place })
        const { right, bottom } = element.getBoundingClientRect()
        return element.ownerDocument.elementFromPoint(right - 4, bottom - 4) === element
      }, block)
      expect(covers, block).to.equal(true)
    }
  })

  it('offers the subcategories of a category, whose name is the heading', async () => {
    await session.go('/shop?category=braking')
    await showsHeading('Braking')
    const filters = page.locator('.filters')
    await filters.getByRole('link', { name: 'Friction Parts' }).click()
    await showsHeading('Friction Parts')
    await filters.getByRole('link', { name: 'Brake Pads' }).click()
    await showsHeading('Brake Pads')
    expect(new URL(page.url()).search).to.equal('?category=brake-pads')
    await expectSound()
    await filters.getByRole('link', { name: 'Braking' }).click()
    await showsHeading('Braking')
  })

  it('offers the categories at the top while none is chosen', async () => {
    const links = page.locator('.filters h2:text-is("Category") + ul')
    const expectTop = async () => {
      for (const name of ['Braking', 'Engine', 'Cooling']) {
        const item = links.getByRole('listitem').filter({ hasText: name })
        await item.waitFor()
        expect(await item.textContent()).to.match(new RegExp(`^${name} [1-9]\\d*$`))
      }
      expect(await links.getByRole('link', { name: 'Wiring' }).count(), 'a subcategory').to.equal(0)
    }
    await session.go('/shop')
    await expectTop()
    for (const [name, label] of [
      ['Year', '2014'],
      ['Make', 'Honda'],
      ['Model', 'CR-V EX 2.4L I4 JM'],
    ] as const)
      await page.getByLabel(name, { exact: true }).selectOption({ label })
    await showsHeading(/^All products for 2014 Honda CR-V/)
    await expectTop()
    await links.getByRole('link', { name: 'Braking' }).click()
    await showsHeading(/^Braking for 2014 Honda CR-V/)
    await links.getByRole('link', { name: 'Friction Parts' }).waitFor()
    await expectSound()
  })

  it('takes no more characters in the search box than the API', async () => {
    await session.go('/shop')
    const box = page.getByRole('combobox', { name: 'Search' })
    await box.click()
    await page.keyboard.insertText('pad '.repeat(75))
    await box.press('Enter')
    await showsHeading(/^“/)
    expect(new URL(page.url()).searchParams.get('q')).to.equal('pad '.repeat(64).trim())
    await expectSound()
  })

  it('shows the text of its address in the search box, and what is typed after it', async () => {
    await session.go('/shop?q=oil')
    await showsHeading('“oil”')
    const box = page.getByRole('combobox', { name: 'Search' })
    expect(await box.inputValue()).to.equal('oil')
    await box.fill('oil filter')
    await page.locator('.filters').getByRole('link', { name: 'In stock' }).click()
    await page.locator('.filters [aria-current="true"]').getByText('In stock').waitFor()
    expect(await box.inputValue()).to.equal('oil filter')
    await page.goto(`${api.address}/shop?q=pads`)
    await page.getByRole('link', { name: 'Acme Parts' }).click()
    await showsHeading('All products')
    expect(await box.inputValue()).to.equal('')
  })

  it('keeps the keyboard focus on the part of the vehicle that was chosen', async () => {
    await session.go('/shop')
    for (const [name, key, next] of [
      ['Year', '2', 'select[aria-label="Make"]:enabled'],
      ['Make', 'T', 'select[aria-label="Model"]:enabled'],
      ['Model', 'ArrowDown', 'h1:text("for 2")'],
    ] as const) {
      const select = page.getByLabel(name, { exact: true })
      await select.focus()
      await page.keyboard.press(key)
      await page.locator(next).waitFor()
      await page.locator('main:not([aria-busy])').waitFor()
      expect(await page.evaluate('document.activeElement.ariaLabel'), name).to.equal(name)
    }
  })

  it('keeps the newer choice of a vehicle when a list for the older one comes late', async () => {
    await session.go('/shop')
    const choose = (name: string, label: string) => page.getByLabel(name, { exact: true }).selectOption({ label })
    await choose('Year', '2014')
    await choose('Make', 'Honda')
    await choose('Model', 'CR-V EX 2.4L I4 JM')
    await showsHeading(/^All products for 2014 Honda CR-V/)
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(/\/v1\/products\?.*sort=newest.*vehicle_id=/, async (route) => {
      const response = await route.fetch()
      asked.resolve()
      await released.promise
      await route.fulfill({ response })
    })
    const late = page.waitForResponse(/\/v1\/products\?.*sort=newest.*vehicle_id=/)
    await page.locator('.filters').getByRole('link', { name: 'Newest' }).click()
    await asked.promise
    await click('Any vehicle')
    await showsHeading('All products')
    released.resolve()
    await (await late).finished()
    // The page has read the response before it shows the next list, which is asked for later.
    await page.locator('.filters').getByRole('link', { name: 'Name', exact: true }).click()
    await page.locator('.filters [aria-current="true"]').getByText('Name', { exact: true }).waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('All products')
    expect(await page.evaluate("localStorage.getItem('shop-vehicle')")).to.equal('{}')
    await session.go('/shop')
    await showsHeading('All products')
    expect(new URL(page.url()).search).to.equal('')
  })

  it('keeps the vehicle that another tab has chosen, and the conditions of a list, when the list is read again', async () => {
    await session.go('/shop')
    for (const [name, label] of [
      ['Year', '2014'],
      ['Make', 'Honda'],
      ['Model', 'CR-V EX 2.4L I4 JM'],
    ] as const)
      await page.getByLabel(name, { exact: true }).selectOption({ label })
    await showsHeading(/^All products for 2014 Honda CR-V/)
    await page.getByRole('combobox', { name: 'Search' }).fill('CR-V brake pad')
    await page.keyboard.press('Enter')
    await showsHeading(/^“CR-V brake pad” for 2014 Honda CR-V/)
    const conditions = page.locator('.card .condition')
    await conditions.first().waitFor()
    const before = await conditions.allTextContents()
    const chosen = '{"year":2012,"make":"Toyota"}'
    await page.evaluate(`localStorage.setItem('shop-vehicle', '${chosen}')`)
    const readAgain = page.waitForResponse(/\/v1\/products\?.*skus=/)
    // The vehicles are read after the list.
    const readLast = readAgain.then(() => page.waitForResponse(/\/v1\/vehicles\/models/))
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await readLast
    expect(await page.evaluate("localStorage.getItem('shop-vehicle')")).to.equal(chosen)
    expect(await conditions.allTextContents()).to.deep.equal(before)
    await expectSound()

    await page.route(/\/v1\/products\?.*sort=newest/, async (route) => {
      const response = await route.fetch()
      // Meanwhile, the other tab chooses again.
      await page.evaluate(`localStorage.setItem('shop-vehicle', '{"vehicle_id":1}')`)
      await route.fulfill({ response })
    })
    await page.locator('.filters').getByRole('link', { name: 'Newest' }).click()
    await page.locator('.filters [aria-current="true"]').getByText('Newest').waitFor()
    expect(await page.evaluate("localStorage.getItem('shop-vehicle')")).to.equal('{"vehicle_id":1}')
  })

  it('forgets a vehicle that no longer exists, and says so', async () => {
    await session.go('/shop')
    for (const vehicle of [
      { vehicle_id: 999_999, year: 2014, make: 'Honda', model: 'CR-V' },
      { vehicle_id: 999_999, year: 2014, make: 'Honda' },
    ]) {
      await page.evaluate(`localStorage.setItem('shop-vehicle', '${JSON.stringify(vehicle)}')`)
      await session.go('/shop')
      // Where a busy machine could not read the vehicle, the page says so.
      const retry = page.locator('main .notice').getByRole('button', { name: 'Try again' })
      const gone = page.getByRole('heading', { level: 1, name: 'There is no such vehicle any more' })
      const either = gone.or(retry).first()
      await either.waitFor()
      while (!(await gone.isVisible())) await either.click()
      await expectSound()
      await page.getByRole('main').getByRole('link', { name: 'All products' }).click()
      await showsHeading('All products')
      expect(new URL(page.url()).search).to.equal('')
      expect(await page.evaluate("localStorage.getItem('shop-vehicle')")).to.equal('{}')
    }
  })

  it('keeps a vehicle whose fitment could not be read, and says so, until it is known that the vehicle does not exist', async () => {
    const errors = [{ field: 'fitment', code: 'downstream_error', detail: '' }]
    let isFailing = true
    await page.route('**/v1/products?*vehicle_id=999999*', async (route) => {
      if (!isFailing) return route.continue()
      const body = await (await route.fetch()).json()
      await route.fulfill({ json: { ...body, vehicle: null, errors } })
    })
    await session.go('/shop')
    const vehicle = { vehicle_id: 999_999, year: 2014, make: 'Honda', model: 'CR-V' }
    await page.evaluate(`localStorage.setItem('shop-vehicle', '${JSON.stringify(vehicle)}')`)
    await session.go('/shop?vehicle_id=999999')
    const gone = page.getByRole('heading', { level: 1, name: 'There is no such vehicle any more' })
    const notice = page.locator('main .notice')
    await gone.or(notice).first().waitFor()
    expect(await gone.isVisible()).to.equal(false)
    expect(JSON.parse(await page.evaluate("localStorage.getItem('shop-vehicle')"))).to.deep.equal(vehicle)
    isFailing = false
    await notice.getByRole('button', { name: 'Try again' }).click()
    await gone.waitFor()
    expect(await page.evaluate("localStorage.getItem('shop-vehicle')")).to.equal('{}')
  })

  it('shows products when what the browser stores is broken, and while it stores nothing', async () => {
    await session.go('/shop')
    for (const broken of ['{broken', 'null', '7']) {
      await page.evaluate(`localStorage.setItem('shop-vehicle', '${broken}')`)
      await session.go('/shop')
      await page.locator('.cards a').first().waitFor()
      await session.go('/shop/products/BP-1001')
      await page.getByText(/^Fits \d+ vehicles$/).waitFor()
    }
    const refuse = "{ get() { throw new DOMException('Denied', 'SecurityError') } }"
    for (const name of ['localStorage', 'sessionStorage'])
      await page.addInitScript(`Object.defineProperty(window, '${name}', ${refuse})`)
    await session.go('/shop')
    await page.getByLabel('Year', { exact: true }).selectOption('2014')
    await page.getByLabel('Make', { exact: true }).selectOption('Honda')
    await page.getByLabel('Model', { exact: true }).selectOption({ label: 'CR-V EX 2.4L I4 JM' })
    await showsHeading(/^All products for 2014 Honda CR-V/)
    await expectSound()
  })

  it('has the chosen vehicle in the address, and says whether a product fits it', async () => {
    await session.go('/shop/products/BP-1001')
    await page.getByText(/^Fits \d+ vehicles$/).click()
    const fitted = page.locator('.product details li').first()
    expect(await fitted.textContent()).to.match(/^2012 Honda CR-V/)
    expect(await page.getByText('fit your').count()).to.equal(0)

    await session.go('/shop')
    const choose = (name: string, label: string) => page.getByLabel(name, { exact: true }).selectOption({ label })
    await choose('Year', '2014')
    await choose('Make', 'Honda')
    await choose('Model', 'CR-V EX 2.4L I4 JM')
    await showsHeading(/^All products for 2014 Honda CR-V/)
    const address = page.url()
    expect(new URL(address).search).to.match(/^\?vehicle_id=\d+$/)
    const cardOf = (sku: string) => page.locator(`.card:has(a[href$="/${sku}"])`)
    await page.getByRole('combobox', { name: 'Search' }).fill('CR-V brake pad')
    await page.keyboard.press('Enter')
    await cardOf('BP-1001').getByText('Fits if: four-wheel drive').waitFor()
    await expectSound()
    await session.go('/shop/products/BP-1001')
    const fit = page.getByText(/^Fits your 2014 Honda CR-V .* if: four-wheel drive/)
    await fit.waitFor()
    expect(await fit.getAttribute('class')).to.equal('notice')
    await expectSound()
    await session.go('/shop/products/BP-1002')
    await page.getByText(/^Does not fit your 2014 Honda CR-V/).waitFor()
    await expectSound()
    await page.getByRole('link', { name: 'See what fits it' }).click()
    await showsHeading(/^All products for 2014 Honda CR-V/)

    await using friend = await openBrowserSession(browser, api.address)
    await friend.page.goto(address)
    await friend.page.getByRole('heading', { level: 1, name: /^All products for 2014 Honda CR-V/ }).waitFor()
    expect(await friend.page.getByLabel('Make').inputValue()).to.equal('Honda')
    // The vehicle stays for other lists, and is in their address.
    await friend.page.goto(`${api.address}/shop?category=brake-pads`)
    await friend.page.getByRole('heading', { level: 1, name: /^Brake Pads for 2014 Honda CR-V/ }).waitFor()
    expect(new URL(friend.page.url()).search).to.match(/^\?category=brake-pads&vehicle_id=\d+$/)
    // An address with something else shows no list that the title does not describe.
    await friend.page.goto(`${api.address}/shop?category=brake-pads&vehicle_id=none`)
    await friend.page.getByRole('heading', { level: 1, name: /^Brake Pads for 2014 Honda CR-V/ }).waitFor()
    expect(new URL(friend.page.url()).search).to.match(/^\?category=brake-pads&vehicle_id=\d+$/)
    await friend.page.getByRole('button', { name: 'Any vehicle' }).click()
    await friend.page.getByRole('heading', { level: 1, name: 'Brake Pads', exact: true }).waitFor()
    expect(new URL(friend.page.url()).search).to.equal('?category=brake-pads')
  })

  it('fills one cart when two tabs add a product at the same moment', async () => {
    await signIn(shoppers.taxExempt)
    const other = await page.context().newPage()
    const tabs = [
      [page, 'BP-1001'],
      [other, 'OL-1001'],
    ] as const
    for (const [tab, sku] of tabs) {
      await tab.goto(`${api.address}/shop/products/${sku}`)
      await tab.locator('.count').getByText('0').waitFor()
    }
    const asked = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    await page.context().route('**/shop/account/createCart', async (route) => {
      asked.resolve()
      await held.promise
      await route.continue()
    })
    for (const [tab] of tabs) await tab.getByRole('button', { name: 'Add to cart' }).click()
    for (const [tab] of tabs) await tab.locator('form.busy').waitFor()
    await asked.promise
    held.resolve()
    for (const [tab] of tabs) await tab.locator('form.busy').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^Cart/ }).click()
    await showsHeading('Cart')
    expect(await page.locator('.lines .what a').count()).to.equal(2)
    expect((await act('listCarts', {})).data).to.have.lengthOf(1)
    await expectSound()
  })

  it('orders on a page that came over plain http from another machine', async () => {
    // What browsers do not have there.
    await page.addInitScript('delete Navigator.prototype.locks; delete Crypto.prototype.randomUUID')
    await signIn(shoppers.cashOnly)
    await addToCart('OL-1001')
    await session.go('/shop/checkout')
    expect(await page.evaluate('[navigator.locks, crypto.randomUUID].some(Boolean)')).to.equal(false)
    await click('Place the order')
    await showsHeading(/^Order SO-/)
  })

  for (const hasNavigation of [true, false])
    it(`shows the old and the new total when prices have changed, and orders at the new one, on a phone ${hasNavigation ? 'with' : 'without'} the Navigation API`, async () => {
      const setListPrice = (amount: string) => setPrice(api.systems.pricing.controlAddress, 'acme', 'OF-1001', amount)
      if (!hasNavigation) await page.addInitScript("Object.defineProperty(window, 'navigation', { value: undefined })")
      await page.setViewportSize({ width: 390, height: 844 })
      await setListPrice('100.00')
      await signIn(shoppers.cashOnly)
      await emptyCart()
      await addToCart('OF-1001')
      await session.go('/shop/checkout')
      const total = page.locator('.totals dd').last()
      const number = page.getByLabel('Purchase order number')
      await number.fill('PO-77')
      let seen = await total.textContent()
      let expected = null as string | null
      for (const amount of ['250.00', '40.00']) {
        await setListPrice(amount)
        if (amount === '40.00') await refuseCheckout()
        await click('Place the order')
        const problem = page.locator('form > .problem:not(:empty)')
        await problem.getByText(`not ${seen}`).waitFor()
        await page.locator('main:not([aria-busy])').waitFor()
        expected = await total.textContent()
        expect(expected).to.not.equal(seen)
        expect(await problem.textContent()).to.equal(
          `The total is now ${expected}, not ${seen}. Nothing was ordered: place the order again to accept the new total.`,
        )
        expect(await number.inputValue()).to.equal('PO-77')
        seen = expected
      }
      session.takeConsoleErrors()
      await expectSound()
      await click('Place the order')
      await showsHeading(/^Order SO-/)
      expect(await total.textContent()).to.equal(expected)
      await expectSound()
    })

  it('shows the same shopper in all tabs', async () => {
    await session.go('/shop/products/BP-1001')
    const accountLinks = page.getByRole('navigation', { name: 'Account' })
    await accountLinks.getByRole('link', { name: 'Sign in' }).waitFor()
    const other = await page.context().newPage()
    for (const [name, company] of [
      ['Mobay Garage', 'MoBay Garage'],
      ['Negril Hire', 'Negril Bike and Car Hire'],
    ] as const) {
      await other.goto(`${api.address}/shop/sign-in`)
      await other.getByRole('button', { name }).click()
      await accountLinks.getByRole('link', { name: company }).waitFor()
      await click('Add to cart')
      await page.locator('.count').getByText('1').waitFor()
    }
    await other.getByRole('button', { name: 'Sign out' }).click()
    await accountLinks.getByRole('link', { name: 'Sign in' }).waitFor()
  })

  it('has room for the name of a company on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await session.go('/shop/sign-in')
    await click('Negril Hire')
    await showsHeading('All products')
    const link = page.getByRole('link', { name: 'Negril Bike and Car Hire' })
    await link.waitFor()
    expect(await link.evaluate(({ scrollWidth, clientWidth }: Box) => scrollWidth - clientWidth)).to.be.at.most(0)
    await expectSound()
  })

  it('needs no sideways scrolling on the narrowest screen', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    for (const path of ['/shop?sort=-price', '/shop/products/BP-1001', '/shop/sign-in']) {
      await session.go(path)
      await page.locator('main h1').waitFor()
      await expectSound()
    }
  })

  it('keeps the focus on the page when the focused part of it is removed', async () => {
    await session.go('/shop/sign-in')
    await click('A private customer')
    await showsHeading('All products')
    await addToCart('OL-1002')
    await addToCart('BP-1001')
    await session.go('/shop/cart')
    await page.getByRole('button', { name: 'Remove OL-1002' }).press('Enter')
    await page.locator('#quantity-OL-1002').waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.id')).to.equal('page')
  })

  it('names the line that a warning of the cart is about', async () => {
    await signIn(shoppers.taxExempt)
    await emptyCart()
    await addToCart('OL-1001')
    await addToCart('BP-1002')
    const name = await page.getByRole('heading', { level: 1 }).textContent()
    await session.go('/shop/cart')
    await page.getByText(`${name}: This product is low in stock.`, { exact: true }).waitFor()
    await expectSound()
  })

  it('does not call a cart empty that cannot be read', async () => {
    await session.go('/shop/sign-in')
    await page.route('**/shop/account/listCarts', (route) =>
      route.fulfill({ status: 503, json: { code: 'store_unavailable', detail: '' } }),
    )
    await click('A private customer')
    const links = page.getByRole('navigation', { name: 'Account' })
    await links.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(await links.getByRole('link', { name: /^Cart/ }).textContent()).to.equal('Cart ')
  })

  it('reads stock and the place in a list to screen readers as they are', async () => {
    await session.go('/shop')
    expect(await page.locator('.stock').first().ariaSnapshot()).to.match(
      /: (?:In stock|Few left|Out of stock|Made to order)/,
    )
    await page.getByRole('link', { name: 'Next' }).click()
    await page
      .getByRole('status')
      .getByText(/^25–48 of/)
      .waitFor()
  })
})
