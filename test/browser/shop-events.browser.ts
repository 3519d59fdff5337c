import { expect } from 'chai'
import type { Browser, Page, Request } from 'playwright-core'
import { shoppers } from '../../fixtures/shoppers.ts'
import { subscribeDemoShop } from '../../src/cli/demo/demo-shop-subscription.ts'
import { addSandboxShoppers } from '../../src/cli/sandbox/sandbox-shoppers.ts'
import { createEventStreams, type EventStreams } from '../../src/http/responses/event-streams.ts'
import { setStock } from '../../src/sandbox/control/inventory-control-client.ts'
import { setPrice } from '../../src/sandbox/control/pricing-control-client.ts'
import type { ShopSettings } from '../../src/shop/server/shop-page.ts'
import { registerShop } from '../../src/shop/server/shop-routes.ts'
import { type Api, type ApiOptions, startApi } from '../support/api.ts'
import { until } from '../support/until.ts'
import { type BrowserSession, closeWindows, openBrowser, openBrowserSession } from './browser-session.ts'

const SKU = 'OL-1001'

describe('the demo’s shop, while products change', () => {
  let api: Api
  let publishableKey: string
  let streams: EventStreams
  let browser: Browser
  let session: BrowserSession
  let page: Page

  before(async () => {
    const settings = Promise.withResolvers<ShopSettings>()
    streams = createEventStreams()
    // The server's own mirror, which the change feed fills.
    const merchants: ApiOptions['merchants'] = (of) => [
      { merchant: 'shop', sandbox: { ...of('acme'), fitment: 'imported' }, mirror: { maxAgeMs: 3_600_000 } },
    ]
    api = await startApi({
      feedIntervalMs: 100,
      merchants,
      registerRoutes: (router) => registerShop(router, settings.promise, streams),
      prepare: (db) => addSandboxShoppers(db, 'shop'),
    })
    publishableKey = await api.key({ merchant: 'shop', origins: ['*'] })
    const secretKey = await api.key({ merchant: 'shop', kind: 'secret' })
    settings.resolve({
      name: 'Acme Parts',
      address: api.address,
      publishableKey,
      secretKey,
      webhookSecret: await subscribeDemoShop(api.address, secretKey),
      pictureOrigin: api.systems.inventory.address,
      operationsAddress: null,
    })
    await until('the mirror is filled', async () => {
      const { status, body } = await api.request('/v1/products?sort=price&limit=1', { key: publishableKey })
      return status === 200 && (body as { errors: unknown[] }).errors.length === 0
    })
    browser = await openBrowser()
  })
  beforeEach(async () => {
    await setAvailable(100)
    await hasBand('IN_STOCK')
    session = await openBrowserSession(browser, api.address)
    page = session.page
  })
  afterEach(() => session[Symbol.asyncDispose]())
  after(async () => {
    await closeWindows()
    streams[Symbol.dispose]()
    await api?.[Symbol.asyncDispose]()
  })

  /** Sells or restocks the product, as `forecourt sandbox stock` does. */
  const setAvailable = (available: number) => setStock(api.systems.inventory.controlAddress, 'acme', SKU, { available })
  const hasBand = (band: string) =>
    until(`the API has the band ${band}`, async () => {
      const { body } = await api.request(`/v1/products/${SKU}`, { key: publishableKey })
      return (body as { availability: { band: string } }).availability.band === band
    })
  const badge = (where = page) => where.locator(`.stock[data-sku="${SKU}"]`)
  const shows = (text: string, where = page) => badge(where).getByText(text, { exact: true }).waitFor()

  /** Opens a page, and waits until it is read again because its stream is open. */
  async function open(path: string, read: RegExp, where = page): Promise<void> {
    let reads = 0
    const again = where.waitForResponse((response) => read.test(response.url()) && ++reads === 2)
    await where.goto(api.address + path)
    await again
    await shows('In stock', where)
  }

  it('shows a sale and a restock on the open page, without a reload and without requests at intervals', async () => {
    await page.clock.install()
    await open(`/shop/products/${SKU}`, /\/v1\/products\/OL-1001$/)
    await page.evaluate('window.isSameDocument = true')
    const requests: string[] = []
    page.on('request', (request: Request) => requests.push(new URL(request.url()).pathname))
    await page.clock.runFor(3_600_000)
    expect(requests, 'in an hour').to.deep.equal([])
    for (const [available, text] of [
      [0, 'Out of stock'],
      [100, 'In stock'],
    ] as const) {
      await setAvailable(available)
      await shows(text)
      expect(await badge().getAttribute('class')).to.equal('stock changed')
      expect(await page.locator('#announcement').textContent()).to.equal(`${SKU}: ${text}`)
    }
    await page.clock.runFor(3_600_000)
    expect(new Set(requests)).to.deep.equal(new Set([`/v1/products/${SKU}`, `/v1/products/${SKU}/fitments`]))
    expect(await page.evaluate('window.isSameDocument')).to.equal(true)
    expect(session.takeConsoleErrors()).to.deep.equal([])
    expect(await session.findViolations()).to.deep.equal([])
  })

  it('shows a new price, and keeps what is being typed', async () => {
    await page.goto(`${api.address}/shop/sign-in?sku=${SKU}`)
    await page.getByLabel('Email').fill(shoppers.cashOnly.email)
    await page.getByLabel('Password').fill(shoppers.cashOnly.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const quantity = page.getByLabel(/^Quantity/)
    await quantity.fill('7')
    await quantity.focus()
    await setPrice(api.systems.pricing.controlAddress, 'acme', SKU, '4321.00')
    await page.locator('.product .price').getByText('4,321.00').waitFor()
    expect(await quantity.inputValue()).to.equal('7')
    expect(await page.evaluate('document.activeElement.id')).to.equal('quantity')
  })

  it('keeps the products of a list in their places, and marks no other product of the next page', async () => {
    await open('/shop?q=engine+oil&availability=IN_STOCK', /\/v1\/products\?/)
    const links = page.locator('.card h2 a')
    const before = await links.allTextContents()
    await setAvailable(0)
    await shows('Out of stock')
    expect(await links.allTextContents()).to.deep.equal(before)
    expect(await page.locator('.stock.changed').count()).to.equal(1)
    await page.getByRole('link', { name: 'Acme Parts' }).click()
    await page.getByRole('heading', { level: 1, name: 'All products' }).waitFor()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText(/^25–48 of/).waitFor()
    expect(await page.locator('.stock.changed').count()).to.equal(0)
  })

  it('counts the products of each filter again, and keeps the counts that cannot be read', async () => {
    const path = '/shop?q=engine+oil'
    const counts = page.locator('.filters li', { hasText: /^(?:In stock|Out of stock) / })
    await open(path, /\/v1\/products\?/)
    const before = await counts.allTextContents()
    const withFacets = /\/v1\/products\?.*facets=/
    await page.route(withFacets, (route) => route.abort())
    await setAvailable(0)
    await shows('Out of stock')
    expect(await counts.allTextContents()).to.deep.equal(before)
    await page.unroute(withFacets)
    await setAvailable(100)
    await shows('In stock')
    await setAvailable(0)
    await shows('Out of stock')
    const after = await counts.allTextContents()
    expect(after).to.not.deep.equal(before)
    await page.goto(api.address + path)
    await counts.first().waitFor()
    expect(await counts.allTextContents()).to.deep.equal(after)
  })

  it('keeps a list whose fitment could not be read', async () => {
    const errors = [{ field: 'fitment', code: 'downstream_error', detail: '' }]
    await page.route('**/v1/products?*vehicle_id=999999*', async (route) => {
      const body = await (
        await page.request.get(
          route
            .request()
            .url()
            .replace(/vehicle_id=999999&?/, ''),
          { headers: route.request().headers() },
        )
      ).json()
      await route.fulfill({ json: { ...body, vehicle: null, errors } })
    })
    await open('/shop?q=engine+oil&vehicle_id=999999', /\/v1\/products\?/)
    await setAvailable(0)
    await shows('Out of stock')
    expect(await page.locator('h1').allTextContents()).to.deep.equal(['“engine oil”'])
  })

  it('shows a change that came while the page was being read', async () => {
    const other = await page.context().newPage()
    await open(`/shop/products/${SKU}`, /\/v1\/products\/OL-1001$/, other)
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.goto(`${api.address}/shop/sign-in`)
    await page.route(
      `**/v1/products/${SKU}`,
      async (route) => {
        const response = await route.fetch()
        asked.resolve()
        await released.promise
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    await page.evaluate(`navigation.navigate('/shop/products/${SKU}')`)
    await asked.promise
    await setAvailable(0)
    await shows('Out of stock', other)
    released.resolve()
    await shows('Out of stock')
  })

  it('has a stream only while it is looked at, and reads again afterwards', async () => {
    await open(`/shop/products/${SKU}`, /\/v1\/products\/OL-1001$/)
    expect(streams.size).to.equal(1)
    const look = (hidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} })
        document.dispatchEvent(new Event('visibilitychange'))`)
    await look(true)
    await until('the stream is closed', () => streams.size === 0)
    await setAvailable(0)
    await look(false)
    await shows('Out of stock')
    expect(streams.size).to.equal(1)
  })

  it('connects again after a lost stream, and reads what has changed meanwhile', async () => {
    await page.clock.install()
    const refuse = '**/shop/events'
    const refused = page.waitForResponse(refuse)
    await page.route(refuse, (route) => route.fulfill({ status: 503, json: { code: 'overloaded', detail: '' } }))
    await page.goto(`${api.address}/shop/products/${SKU}`)
    await refused
    await shows('In stock')
    await setAvailable(0)
    await hasBand('OUT')
    await page.unroute(refuse)
    await page.clock.runFor(10_000)
    await shows('Out of stock')
  })
})
