import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { waitUntil } from '../live/support/wait-until.ts'
import { type BrowserSession, openBrowser, openBrowserSession } from './browser-session.ts'
import { PASSWORD, type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'

describe('the pages by keyboard alone', () => {
  let shop: RunningForecourt
  let browser: Browser
  let somebody: BrowserSession
  let page: Page

  before(async () => {
    shop = await startRunningForecourt()
    browser = await openBrowser()
    somebody = await openBrowserSession(browser, shop.address)
    page = somebody.page
  })
  after(async () => {
    await browser?.close()
    await shop?.[Symbol.asyncDispose]()
  })

  const focused = () =>
    page.evaluate<string>(`(() => {
      const element = document.activeElement
      return (element.getAttribute('name') || element.innerText || element.id).trim().replace(/\\s+/g, ' ')
    })()`)

  /** Tab after tab, as somebody without a mouse; each place must show that it has the focus. */
  async function tabTo(text: string | RegExp): Promise<void> {
    const seen: string[] = []
    for (let steps = 0; steps < 60; steps++) {
      await page.keyboard.press('Tab')
      const at = await focused()
      seen.push(at)
      expect(await isMarked(page), `${at} shows its focus`).to.equal(true)
      if (typeof text === 'string' ? at === text : text.test(at)) return
    }
    throw new Error(`no tab leads to ${text}; it went over ${seen.join(' → ')}`)
  }

  it('lead from the sign-in to the incident, to a request, and to holding a circuit', async () => {
    shop.freeze('pricing')
    await Promise.all(Array.from({ length: 12 }, (_, asked) => shop.ask(`/v1/products?limit=1&offset=${asked}`)))
    await somebody.go('/')
    // A browser gives a field its focus some time after the page has loaded.
    await waitUntil('the name has the focus', async () => (await focused()) === 'name')
    await page.keyboard.type('ann')
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.locator('[data-announce=headline]').getByText('Degraded: pricing of Acme Parts (live)').waitFor()

    await tabTo('Skip to the page')
    await page.keyboard.press('Enter')
    await tabTo('Prices')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Some of its requests' }).waitFor()

    await tabTo(/^Circuit/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Circuit of pricing' }).waitFor()
    await tabTo('Hold open')
    await page.keyboard.press('Enter')
    await tabTo('minutes')
    await page.keyboard.press('ArrowDown')
    await tabTo(/^Hold open for all shoppers/)
    await page.keyboard.press('Enter')
    await page.getByText('is held open for 15 min').waitFor()
    shop.thaw('pricing')
  })

  it('keep the focus where it is while a live page changes', async () => {
    await somebody.go('/')
    await tabTo('Purge cached catalog')
    const before = await page.locator('main').innerText()
    await waitUntil('the page has changed', async () => {
      await shop.ask(`/v1/products?limit=1&offset=${Math.floor(Math.random() * 40)}`)
      return (await page.locator('main').innerText()) !== before
    })
    expect(await focused()).to.equal('Purge cached catalog')
  })
})

/** Whether what has the focus looks as if it had. */
const isMarked = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  })()`)
