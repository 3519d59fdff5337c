import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { waitUntil } from '../live/support/wait-until.ts'
import { type BrowserSession, closeWindows, openBrowser, openBrowserSession, signIn } from './browser-session.ts'
import { type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'
import { insertSupportRecords } from './support-records.ts'

/** The width of A4 in CSS pixels without the margins. */
const PAPER = { width: 700, height: 990 }

/** Scripts for the page are strings, because these files have no DOM types. */
const FIND_CUT_TABLES = `[...document.querySelectorAll('main .wide, main .scroll')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((element) => element.querySelector('thead').innerText)`
const FIND_CONTROLS = `[...document.querySelectorAll('input, select, button, nav, summary')]
  .filter((element) => element.checkVisibility())
  .map((element) => element.outerHTML)`
const FOOTER_DISTANCE = `document.querySelector('footer').getBoundingClientRect().top - document.querySelector('main').getBoundingClientRect().bottom`

describe('the pages on paper', () => {
  let running: RunningForecourt
  let browser: Browser
  let session: BrowserSession
  const paths = ['/', '/incidents', '/timeline', '/request', '/request?id=degraded-request', '/audit', '/keys']

  before(async () => {
    running = await startRunningForecourt()
    browser = await openBrowser()
    const { orderId } = await insertSupportRecords(running)
    running.freeze('pricing')
    await running.request('/v1/products/BP-1001', { 'x-request-id': 'degraded-request' })
    await waitUntil('there is an incident', async () => {
      const found = await running.forecourt.db.selectFrom('incidents').select('incident_id').executeTakeFirst()
      if (found) paths.push(`/incidents/${found.incident_id}`, `/find?q=${orderId}`)
      return found !== undefined
    })
    session = await openBrowserSession(browser, running.address, { viewport: PAPER, colorScheme: 'dark' })
    await signIn(session)
    await session.page.emulateMedia({ media: 'print' })
  })
  after(async () => {
    await closeWindows()
    await running?.[Symbol.asyncDispose]()
  })

  it('show whole tables without controls, and the footer below the content, in the colours of paper', async () => {
    const { page, go } = session
    for (const path of paths) {
      await go(path)
      await page.locator('main h1').waitFor()
      expect(await page.evaluate<string[]>(FIND_CUT_TABLES), `cut tables of ${path}`).to.deep.equal([])
      expect(await page.evaluate<string[]>(FIND_CONTROLS), `controls of ${path}`).to.deep.equal([])
      expect(await page.evaluate<number>(FOOTER_DISTANCE), `footer of ${path}`).to.be.at.least(0)
      expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).to.equal(
        'rgb(255, 255, 255)',
      )
    }
  })
})
