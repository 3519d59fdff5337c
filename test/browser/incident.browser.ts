import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { waitUntil } from '../live/support/wait-until.ts'
import { type BrowserSession, closeWindows, openBrowser, openBrowserSession, signIn } from './browser-session.ts'
import { type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'

/** Records the texts of the live region. */
const RECORD_ANNOUNCEMENTS = `
  globalThis.announcements = []
  new MutationObserver(() => announcements.push(document.getElementById('announcement').textContent))
    .observe(document.getElementById('announcement'), { childList: true, characterData: true, subtree: true })`

/** An incident without a response for ten seconds, as on a slow machine, is no longer called ongoing. */
const OPEN_INCIDENT = /The incident is ongoing|No degraded response since/

describe('an incident, in a browser', () => {
  let running: RunningForecourt
  let browser: Browser
  let session: BrowserSession
  let page: Page

  before(async () => {
    running = await startRunningForecourt()
    browser = await openBrowser()
    session = await openBrowserSession(browser, running.address)
    page = session.page
    await signIn(session)
  })
  after(async () => {
    await closeWindows()
    await running?.[Symbol.asyncDispose]()
  })

  /** Each request reads another page of the catalog, so that it is not cached. */
  let offset = 0
  const browse = () => running.request(`/v1/products?limit=1&offset=${offset++ % 40}`)
  const lacksPrice = (body: { errors: { field: string }[] }) => body.errors.some(({ field }) => field === 'price')
  const headline = () => page.locator('[data-announce=headline]')
  /** Marks the loaded page; the mark disappears when the page is reloaded. */
  const markPage = () => page.evaluate(`document.body.dataset.mark = 'here'`)
  const isStillMarked = () => page.evaluate(`document.body.dataset.mark === 'here'`)

  it('appears automatically, with the effect on shoppers and exact counts', async () => {
    await browse()
    await headline().getByText('All systems are healthy').waitFor()
    await markPage()
    await page.evaluate(RECORD_ANNOUNCEMENTS)
    running.freeze('pricing')
    // In parallel, because each waits for the timeout, but not simultaneously, because simultaneous requests share one call.
    const browseDelayed = (_: unknown, index: number) => sleep(index * 50).then(browse)
    const responses = await Promise.all(Array.from({ length: 15 }, browseDelayed))
    let degraded = responses.filter(({ body }) => lacksPrice(body)).length
    const firstAt = performance.now()
    await headline().getByText('Degraded: pricing of Acme Parts (live)').waitFor()
    process.stdout.write(
      `      visible ${(performance.now() - firstAt).toFixed(0)} ms after the first degraded responses\n`,
    )
    await waitUntil('the circuit is open', async () => {
      if (lacksPrice((await browse()).body)) degraded += 1
      return running.forecourt.upstreams.states().some(({ system, state }) => system === 'pricing' && state === 'open')
    })
    await page.getByText(`${degraded} degraded responses since`).waitFor()
    expect(await page.locator('.trouble').innerText()).to.match(/[Pp]rices are missing/)
    expect(await isStillMarked()).to.equal(true)
  })

  it('is announced to screen readers', async () => {
    const announcements = await page.evaluate<string[]>('announcements')
    expect(announcements).to.satisfy((all: string[]) =>
      all.some((one) => one.includes('Degraded: pricing of Acme Parts (live)')),
    )
  })

  it('leads in three clicks to its start, its causes and a request with the failed call', async () => {
    await browse()
    await page.getByRole('navigation').getByRole('link', { name: 'Incidents' }).click()
    await page.getByRole('link', { name: 'Prices', exact: true }).click()
    await page.getByText(OPEN_INCIDENT).waitFor()
    const facts = await page.locator('main').innerText()
    for (const said of [
      'pricing',
      'Acme Parts, live',
      'No complete response in time',
      'downstream_timeout',
      'first degraded response',
    ])
      expect(facts).to.include(said)
    await page.locator('table[aria-labelledby=samples] a').first().click()
    await page.getByRole('heading', { name: 'Calls to systems' }).waitFor()
    const request = await page.locator('main').innerText()
    expect(request).to.match(/Prices \(pricing\): no response in/)
    await page.getByRole('link', { name: 'Incident of Prices' }).click()
    await page.getByText(OPEN_INCIDENT).waitFor()
    expect(session.takeConsoleErrors()).to.deep.equal([])
  })

  it('ends automatically on Now and in the list when the system recovers', async () => {
    await page.getByRole('link', { name: 'Now' }).click()
    await headline().getByText('Degraded').waitFor()
    await markPage()
    running.thaw('pricing')
    await waitUntil('the headline shows that all systems are healthy', async () => {
      await browse()
      return (await headline().innerText()).includes('All systems are healthy')
    })
    expect(await isStillMarked()).to.equal(true)
    await page.getByRole('navigation').getByRole('link', { name: 'Incidents' }).click()
    await page.locator('tbody .pill').getByText('Ended').waitFor()
    await page.getByRole('link', { name: 'Prices', exact: true }).click()
    await page.getByText(/(ended between|ended at|was over at) .*next good response\)/).waitFor()
    expect(await page.locator('.changes').innerText()).to.match(/paused after [\s\S]*resumed: calls are made again/)
  })

  it('is visible in the timeline, as a chart and as a table', async () => {
    await page.getByRole('link', { name: 'Timeline' }).first().click()
    await page.getByRole('heading', { name: 'Prices (pricing)' }).waitFor()
    const chart = page.locator('section.chart', { has: page.getByRole('heading', { name: 'Prices (pricing)' }) })
    await waitUntil('the timeline, which is written every few seconds, has the incident', async () => {
      await page.reload()
      return /Degraded: \d+ of/.test(await chart.innerText())
    })
    await chart.locator('canvas').waitFor()
    expect(await hasRedPixels(page)).to.equal(true)
    await chart.locator('summary').click()
    expect(await chart.locator('tbody tr').count()).to.be.above(0)
    const collapsed = page.locator('.collapsed-charts')
    expect(await collapsed.locator('canvas').count(), 'collapsed charts are not drawn').to.equal(0)
    await collapsed.locator('> summary').press('Enter')
    await collapsed.locator('canvas').first().waitFor()
    expect(session.takeConsoleErrors()).to.deep.equal([])
  })
})

/** Returns whether the chart contains red pixels, the colour of degraded responses. */
const hasRedPixels = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const canvas = document.querySelector('[data-chart="section pricing price"] canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] > 0 && data[at] > data[at + 1] + 60 && data[at] > data[at + 2] + 60) return true
    return false
  })()`)
