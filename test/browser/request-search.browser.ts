import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { SLOW_REQUEST_MS } from '../../src/diagnostics/outcome-rules.ts'
import { waitUntil } from '../live/support/wait-until.ts'
import { type BrowserSession, openBrowser, openBrowserSession, signIn } from './browser-session.ts'
import { type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'

describe('the request search, in a browser', () => {
  let shop: RunningForecourt
  let browser: Browser
  let somebody: BrowserSession
  let page: Page

  before(async () => {
    shop = await startRunningForecourt()
    browser = await openBrowser()
    somebody = await openBrowserSession(browser, shop.address)
    page = somebody.page
    await signIn(somebody, 'sam', '/request')
  })
  after(async () => {
    await browser?.close()
    await shop?.[Symbol.asyncDispose]()
  })

  async function find(id: string): Promise<string> {
    await page.getByLabel('Request id').fill(` ${id} `)
    await page.getByRole('button', { name: 'Look it up' }).click()
    await page.waitForURL(/[?&]id=/)
    return page.locator('main').innerText()
  }

  /** Records are written twice a second. */
  async function found(id: string, says: RegExp): Promise<string> {
    let text = ''
    await waitUntil(`the record says ${says}`, async () => {
      text = await find(id)
      return says.test(text)
    })
    return text
  }

  it('tells of a degraded request its sections, its calls, its code and its cause', async () => {
    shop.freeze('accounting')
    const { status } = await shop.ask('/v1/products/BP-1001', { 'x-request-id': 'seen-at-the-till' })
    shop.thaw('accounting')
    expect(status).to.equal(200)
    const text = await found('seen-at-the-till', /Taxes/)
    for (const said of [
      'Degraded',
      'Acme Parts',
      'downstream_timeout',
      'no answer in time',
      'GET /v1/products/BP-1001',
    ])
      expect(text).to.include(said)
    expect(await page.locator('svg.bar line.deadline').count()).to.be.above(3)
    const bad = page.locator('svg.bar rect.bad').first()
    const whole = (await page.locator('svg.bar').first().boundingBox())!.width
    expect((await bad.boundingBox())!.width).to.be.within(whole * 0.3, whole * 0.7)
    expect(somebody.complaints()).to.deep.equal([])
  })

  it('tells of one that was refused why, and never the key', async () => {
    const secret = 'pk_live_thisisnotakeythatanybodyhas'
    await fetch(`${shop.forecourt.address}/v1/products`, {
      headers: { authorization: `Bearer ${secret}`, 'x-request-id': 'turned-away' },
    })
    const text = await found('turned-away', /Refused/)
    expect(text).to.include('invalid_api_key').and.to.include('look at Keys')
    expect(await page.content()).to.not.include(secret)
  })

  it('says of one that is not there why that may be', async () => {
    // Of one that took long there is a record, however well it went.
    let id = ''
    let ms = 0
    await waitUntil('one is quick', async () => {
      const from = performance.now()
      id = `all-was-well-${from.toFixed(0)}`
      await shop.ask('/v1/products/BP-1002', { 'x-request-id': id })
      ms = performance.now() - from
      return ms < SLOW_REQUEST_MS
    })
    const text = await find(id)
    expect(text).to.include('There is no record of this request').and.to.not.include('went well')
  })

  it('shows what a hostile id says as text', async () => {
    const text = await find('<img src=x onerror=alert(1)>')
    expect(text).to.include('<img src=x onerror=alert(1)>')
    expect(somebody.complaints()).to.deep.equal([])
  })

  it('lists the latest, by kind', async () => {
    await somebody.go('/request?merchant=acme&mode=live&kind=degraded')
    const rows = page.locator('table[aria-labelledby=latest] tbody tr')
    await rows.first().waitFor()
    expect(await rows.allInnerTexts()).to.satisfy((all: string[]) => all.every((row) => row.includes('Degraded')))
    await page.getByRole('link', { name: 'seen-at-the-till' }).click()
    await page.getByRole('heading', { name: 'Sections of the answer' }).waitFor()
  })
})
