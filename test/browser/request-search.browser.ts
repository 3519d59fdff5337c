import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { SLOW_REQUEST_MS } from '../../src/diagnostics/request-record-kind.ts'
import { waitUntil } from '../live/support/wait-until.ts'
import { type BrowserSession, closeWindows, openBrowser, openBrowserSession, signIn } from './browser-session.ts'
import { type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'

describe('the request search, in a browser', () => {
  let running: RunningForecourt
  let browser: Browser
  let session: BrowserSession
  let page: Page

  before(async () => {
    running = await startRunningForecourt()
    browser = await openBrowser()
    session = await openBrowserSession(browser, running.address)
    page = session.page
    await signIn(session, 'sam', '/request')
  })
  after(async () => {
    await closeWindows()
    await running?.[Symbol.asyncDispose]()
  })

  async function findRequest(id: string): Promise<string> {
    await page.getByLabel('Request id').fill(` ${id} `)
    await page.getByRole('button', { name: 'Find' }).click()
    await page.waitForURL(/[?&]id=/)
    return page.locator('main').innerText()
  }

  /** Records are written twice a second. */
  async function waitForRecord(id: string, pattern: RegExp): Promise<string> {
    let text = ''
    await waitUntil(`the record matches ${pattern}`, async () => {
      text = await findRequest(id)
      return pattern.test(text)
    })
    return text
  }

  it('shows the sections, calls, code and cause of a degraded request', async () => {
    running.freeze('accounting')
    const { status } = await running.request('/v1/products/BP-1001', { 'x-request-id': 'degraded-request' })
    running.thaw('accounting')
    expect(status).to.equal(200)
    const text = await waitForRecord('degraded-request', /Taxes/)
    for (const said of ['Degraded', 'Acme Parts', 'downstream_timeout', 'no response in', 'GET /v1/products/BP-1001'])
      expect(text).to.include(said)
    expect(await page.locator('svg.bar line.deadline').count()).to.be.above(3)
    const failedBar = page.locator('svg.bar rect.bad').first()
    const fullWidth = (await page.locator('svg.bar').first().boundingBox())!.width
    // Its timeout is half of the deadline, which is the whole width. A busy machine may notice late that it has passed.
    expect((await failedBar.boundingBox())!.width).to.be.within(fullWidth * 0.3, fullWidth * 0.95)
    expect(session.takeConsoleErrors()).to.deep.equal([])
  })

  it('shows why a request was refused, but not its key', async () => {
    const secret = 'pk_live_thisisnotakeythatanybodyhas'
    await fetch(`${running.forecourt.address}/v1/products`, {
      headers: { authorization: `Bearer ${secret}`, 'x-request-id': 'refused-request' },
    })
    const text = await waitForRecord('refused-request', /Refused/)
    expect(text).to.include('invalid_api_key').and.to.include('The page Keys')
    expect(await page.content()).to.not.include(secret)
  })

  it('explains why a request may have no record', async () => {
    // A slow request has a record even if it succeeded.
    let id = ''
    let ms = 0
    await waitUntil('a request is fast', async () => {
      const from = performance.now()
      id = `fast-request-${from.toFixed(0)}`
      await running.request('/v1/products/BP-1002', { 'x-request-id': id })
      ms = performance.now() - from
      return ms < SLOW_REQUEST_MS
    })
    const text = await findRequest(id)
    expect(text).to.include('There is no record of this request').and.to.not.include('went well')
  })

  it('escapes a hostile id', async () => {
    const text = await findRequest('<img/src=x/onerror=alert(1)>')
    expect(text).to.include('<img/src=x/onerror=alert(1)>')
    expect(session.takeConsoleErrors()).to.deep.equal([])
  })

  it('lists the latest requests by kind', async () => {
    await session.go('/request?merchant=acme&mode=live&kind=degraded')
    const rows = page.locator('table[aria-labelledby=recent] tbody tr')
    await rows.first().waitFor()
    expect(await rows.allInnerTexts()).to.satisfy((all: string[]) => all.every((row) => row.includes('Degraded')))
    await page.getByRole('link', { name: 'degraded-request' }).click()
    await page.getByRole('heading', { name: 'Sections of the response' }).waitFor()
  })
})
