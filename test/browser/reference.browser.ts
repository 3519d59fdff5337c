import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Api, startApi } from '../support/api.ts'
import { type BrowserSession, closeWindows, openBrowser, openBrowserSession } from './browser-session.ts'

/** The renderer scrolls its code samples. Chromium lets the keyboard reach them, and axe wants a tabindex. */
const RENDERER_ONLY = /^scrollable-region-focusable:/

describe('the API reference in a browser', () => {
  let api: Api
  let browser: Browser

  before(async () => {
    api = await startApi()
    browser = await openBrowser()
  })
  after(async () => {
    await closeWindows()
    await api?.[Symbol.asyncDispose]()
  })

  for (const width of [1_280, 390])
    it(`follows its policy and accessibility rules, and fits ${width} pixels`, async () => {
      await using session = await openBrowserSession(browser, api.address, { viewport: { width, height: 800 } })
      const foreign: string[] = []
      session.page.on('request', (request) => {
        if (!request.url().startsWith(api.address)) foreign.push(request.url())
      })
      await session.go('/docs#tag/error-codes')
      await session.page.getByRole('heading', { name: 'Problems' }).waitFor()
      await session.page.getByText('price_changed', { exact: true }).first().waitFor()
      const violations = await session.findViolations()
      expect(violations.filter((violation) => !RENDERER_ONLY.test(violation))).to.deep.equal([])
      expect(await session.page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0)
      const widths = `[...document.querySelectorAll('.markdown td:last-child')].map((cell) => cell.clientWidth)`
      const shown = (await session.page.evaluate<number[]>(widths)).filter((cell) => cell > 0)
      if (width < 600) expect(Math.min(...shown), 'the narrowest last column').to.be.at.least(100)
      expect(session.takeConsoleErrors()).to.deep.equal([])
      expect(foreign).to.deep.equal([])
    })

  it('has the test key of its link, and takes it out of the address', async () => {
    const key = await api.key()
    await using session = await openBrowserSession(browser, api.address)
    await session.go(`/docs#key=${key}`)
    expect(await session.page.evaluate('location.href')).to.equal(`${api.address}/docs`)
    expect(await keyInPage(session)).to.equal(key)
  })

  it('sends an example as it is, and keeps the key until the tab is closed', async () => {
    const key = await api.key()
    await using session = await openBrowserSession(browser, api.address)
    const { page } = session
    const openCall = async () => {
      await session.go('/docs#tag/catalog/GET/v1/products/{sku}')
      await page.getByRole('heading', { name: 'Get a product' }).waitFor()
    }
    await openCall()
    await page.getByRole('button', { name: /^Test Request.*\/v1\/products\/\{sku\}\)/ }).click()
    await page.getByRole('dialog').getByPlaceholder('Token').fill(key)
    const responded = page.waitForResponse(/\/v1\/products\//)
    const send = page.getByRole('button', { name: /^Send/ }).first()
    expect(await send.textContent()).to.equal(`SendSend get request to ${api.address}/v1/products/{sku}`)
    await send.click()
    const response = await responded
    expect(new URL(response.url()).pathname).to.equal('/v1/products/BP-1001')
    expect(await response.json()).to.deep.include({ sku: 'BP-1001', errors: [] })
    await page.reload()
    expect(await page.evaluate('sessionStorage.getItem("forecourt-key")')).to.equal(key)
    expect(await page.evaluate('localStorage.length')).to.equal(0)
    expect(await keyInPage(session)).to.equal(key)
    expect(session.takeConsoleErrors()).to.deep.equal([])
  })
})

/** Returns the key with which the page would send the next request. */
async function keyInPage({ page, go }: BrowserSession): Promise<string> {
  await go('/docs')
  return page.getByRole('textbox', { name: /Token/ }).or(page.locator('input[type=password]')).first().inputValue()
}
