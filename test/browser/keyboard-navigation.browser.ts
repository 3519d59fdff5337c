import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { waitUntil } from '../live/support/wait-until.ts'
import { type BrowserSession, closeWindows, openBrowser, openBrowserSession } from './browser-session.ts'
import { PASSWORD, type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'
import { insertSupportRecords } from './support-records.ts'

describe('the pages with a keyboard only', () => {
  let running: RunningForecourt
  let browser: Browser
  let session: BrowserSession
  let page: Page

  before(async () => {
    running = await startRunningForecourt()
    browser = await openBrowser()
    session = await openBrowserSession(browser, running.address)
    page = session.page
  })
  after(async () => {
    await closeWindows()
    await running?.[Symbol.asyncDispose]()
  })

  const readFocusedName = () =>
    page.evaluate<string>(`(() => {
      const element = document.activeElement
      return (element.getAttribute('name') || element.innerText || element.id).trim().replace(/\\s+/g, ' ')
    })()`)

  /** Presses Tab until the element has the focus. Each focused element must have a visible outline. */
  async function tabTo(text: string | RegExp): Promise<void> {
    const visited: string[] = []
    for (let steps = 0; steps < 60; steps++) {
      await page.keyboard.press('Tab')
      const name = await readFocusedName()
      visited.push(name)
      expect(await hasVisibleFocus(page), `${name} has a visible focus`).to.equal(true)
      if (typeof text === 'string' ? name === text : text.test(name)) return
    }
    throw new Error(`Tab does not reach ${text}; it visited ${visited.join(' → ')}`)
  }

  it('lead from the sign-in to the incident and to stopping calls', async () => {
    running.freeze('pricing')
    await Promise.all(
      Array.from({ length: 12 }, (_, offset) => running.request(`/v1/products?limit=1&offset=${offset}`)),
    )
    await session.go('/')
    // The autofocus happens some time after the page has loaded.
    await waitUntil('the name has the focus', async () => (await readFocusedName()) === 'name')
    await page.keyboard.type('ann')
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.locator('[data-announce=headline]').getByText('Degraded: pricing of Acme Parts (live)').waitFor()

    await tabTo('Skip to content')
    await page.keyboard.press('Enter')
    await tabTo('Prices')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sample requests' }).waitFor()

    await tabTo(/^Calls to pricing/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Calls to pricing/ }).waitFor()
    await tabTo('Stop calls')
    await page.keyboard.press('Enter')
    await tabTo('minutes')
    await page.keyboard.press('ArrowDown')
    await tabTo(/^Stop calls for all shoppers/)
    await page.keyboard.press('Enter')
    await page.getByText('are stopped for 15 min').waitFor()
    running.thaw('pricing')
  })

  it('lead from the search box to an order, its customer and a choice of the time zone', async () => {
    const { orderId } = await insertSupportRecords(running)
    await session.go('/mirrors')
    await tabTo('q')
    await page.keyboard.type(orderId)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Attempts to place it in accounting' }).waitFor()
    await tabTo('C-77')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Customer C-77' }).waitFor()
    await tabTo(/^Change the time zone/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Time zone' }).waitFor()
    await tabTo('zone')
    await page.keyboard.type('Tokyo')
    await tabTo('Save')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Customer C-77' }).waitFor()
    expect(await page.locator('footer').innerText()).to.include('Asia/Tokyo')
  })

  it('keep the focus while a live page changes', async () => {
    await session.go('/')
    await tabTo('Purge cached catalog')
    const before = await page.locator('main').innerText()
    await waitUntil('the page has changed', async () => {
      await running.request(`/v1/products?limit=1&offset=${Math.floor(Math.random() * 40)}`)
      return (await page.locator('main').innerText()) !== before
    })
    expect(await readFocusedName()).to.equal('Purge cached catalog')
  })
})

/** Returns whether the focused element has a visible outline. */
const hasVisibleFocus = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  })()`)
