import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { waitUntil } from '../live/support/wait-until.ts'
import { type BrowserSession, openBrowser, openBrowserSession, signIn } from './browser-session.ts'
import { type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'

/** Keeps what is said in the live region. */
const LISTENING = `
  globalThis.heard = []
  new MutationObserver(() => heard.push(document.getElementById('said').textContent))
    .observe(document.getElementById('said'), { childList: true, characterData: true, subtree: true })`

describe('an incident, in a browser', () => {
  let shop: RunningForecourt
  let browser: Browser
  let somebody: BrowserSession
  let page: Page

  before(async () => {
    shop = await startRunningForecourt()
    browser = await openBrowser()
    somebody = await openBrowserSession(browser, shop.address)
    page = somebody.page
    await signIn(somebody)
  })
  after(async () => {
    await browser?.close()
    await shop?.[Symbol.asyncDispose]()
  })

  /** Each page of the catalog is another question, so that no cache answers it. */
  let offset = 0
  const browse = () => shop.ask(`/v1/products?limit=1&offset=${offset++ % 40}`)
  const noPrice = (body: { errors: { field: string }[] }) => body.errors.some(({ field }) => field === 'price')
  const headline = () => page.locator('[data-announce=headline]')
  /** Of that load of the page: it is the same as long as nothing loads it again. */
  const mark = () => page.evaluate(`document.body.dataset.mark = 'here'`)
  const isSameLoad = () => page.evaluate(`document.body.dataset.mark === 'here'`)

  it('appears by itself, with what shoppers see, and with exact counts', async () => {
    await browse()
    await headline().getByText('All is well').waitFor()
    await mark()
    await page.evaluate(LISTENING)
    shop.freeze('pricing')
    // Side by side, since each waits until its time is over; and one after the other, since those at once are one question.
    const late = (_: unknown, at: number) => pause(at * 50).then(browse)
    const answers = await Promise.all(Array.from({ length: 15 }, late))
    let degraded = answers.filter(({ body }) => noPrice(body)).length
    const firstAt = performance.now()
    await headline().getByText('Degraded: pricing of Acme Parts (live)').waitFor()
    process.stdout.write(`      seen ${(performance.now() - firstAt).toFixed(0)} ms after the first degraded answers\n`)
    await waitUntil('the circuit is open', async () => {
      if (noPrice((await browse()).body)) degraded += 1
      return shop.forecourt.upstreams.states().some(({ system, state }) => system === 'pricing' && state === 'open')
    })
    await page.getByText(`${degraded} answers since`).waitFor()
    expect(await page.locator('.trouble').innerText()).to.match(/[Pp]rices are missing/)
    expect(await isSameLoad()).to.equal(true)
  })

  it('says so to a screen reader', async () => {
    const said = await page.evaluate<string[]>('heard')
    expect(said).to.satisfy((all: string[]) =>
      all.some((one) => one.includes('Degraded: pricing of Acme Parts (live)')),
    )
  })

  it('leads in three clicks to since when, why, how many and a request that shows which call failed', async () => {
    await browse()
    await page.getByRole('link', { name: 'Incidents' }).click()
    await page.getByRole('link', { name: 'Prices', exact: true }).click()
    await page.getByText('It goes on').waitFor()
    const facts = await page.locator('main').innerText()
    for (const said of [
      'pricing',
      'Acme Parts, live',
      'No answer in time',
      'downstream_timeout',
      'first degraded answer',
    ])
      expect(facts).to.include(said)
    await page.locator('table[aria-labelledby=samples] a').first().click()
    await page.getByRole('heading', { name: 'Calls to the systems' }).waitFor()
    const request = await page.locator('main').innerText()
    expect(request).to.match(/Prices \(pricing\): no answer in time/)
    await page.getByRole('link', { name: 'The incident' }).click()
    await page.getByText('It goes on').waitFor()
    expect(somebody.complaints()).to.deep.equal([])
  })

  it('ends by itself on Now and in the list when the system is well again', async () => {
    await page.getByRole('link', { name: 'Now' }).click()
    await headline().getByText('Degraded').waitFor()
    await mark()
    shop.thaw('pricing')
    await waitUntil('it is said no longer', async () => {
      await browse()
      return (await headline().innerText()).includes('All is well')
    })
    expect(await isSameLoad()).to.equal(true)
    await page.getByRole('link', { name: 'Incidents' }).click()
    await page.locator('tbody .pill').getByText('Over').waitFor()
    await page.getByRole('link', { name: 'Prices', exact: true }).click()
    await page.getByText(/It is over since .* It was seen well again/).waitFor()
    expect(await page.locator('.changes').innerText()).to.match(/opened: [\s\S]*closed: the system is asked again/)
  })

  it('can be seen in the timeline, as a chart and as a table', async () => {
    await page.getByRole('link', { name: 'Timeline' }).first().click()
    await page.getByRole('heading', { name: 'Prices (pricing)' }).waitFor()
    const chart = page.locator('section.chart', { has: page.getByRole('heading', { name: 'Prices (pricing)' }) })
    await waitUntil('the timeline has it, which is written every few seconds', async () => {
      await page.reload()
      return /Degraded: \d+ of/.test(await chart.innerText())
    })
    await chart.locator('canvas').waitFor()
    expect(await painted(page)).to.equal(true)
    await chart.locator('summary').click()
    expect(await chart.locator('tbody tr').count()).to.be.above(0)
    expect(somebody.complaints()).to.deep.equal([])
  })
})

/** Whether something in the red of what was degraded is in a chart. */
const painted = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const canvas = document.querySelector('[data-chart="section pricing price"] canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] > 0 && data[at] > data[at + 1] + 60 && data[at] > data[at + 2] + 60) return true
    return false
  })()`)
