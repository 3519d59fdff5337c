import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type BrowserSession, openBrowser, openBrowserSession, signIn } from './browser-session.ts'
import { type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'

describe('what an operator does by hand, in a browser', () => {
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

  const state = () => page.locator('[data-announce=state]').innerText()
  const stateOf = (system: string) =>
    shop.forecourt.upstreams.states().find((one) => one.mode === 'live' && one.system === system)!
  const codes = async (path: string) => (await shop.ask(path)).body.errors.map(({ code }: { code: string }) => code)

  it('holds a circuit open: its system is asked no more, and Now says who holds it', async () => {
    await shop.ask('/v1/products/BP-1001')
    await page.getByRole('link', { name: /pricing of Acme Parts \(live\)/ }).click()
    await page.getByText('Hold open', { exact: true }).click()
    await page.getByLabel('For how long').first().selectOption('15')
    await page.getByRole('button', { name: /^Hold open for all shoppers of Acme Parts/ }).click()
    await page.getByText('is held open for 15 min').waitFor()
    expect(await state()).to.equal('Held open')
    expect(stateOf('pricing').held).to.include({ state: 'open', by: 'ann' })
    expect(await codes('/v1/products/BP-1002')).to.deep.equal(['circuit_open'])
    await page.getByRole('link', { name: 'Now' }).first().click()
    await page.getByText(/by ann until/).waitFor()
  })

  it('lets it go, and the system is asked again', async () => {
    await page.getByRole('link', { name: /pricing of Acme Parts \(live\)/ }).click()
    await page.getByRole('button', { name: 'Let go' }).click()
    await page.getByText('The circuit is let go').waitFor()
    expect(stateOf('pricing').held).to.equal(null)
    expect(await codes('/v1/products/BP-1003')).to.deep.equal([])
  })

  it('purges what is cached, of some products alone', async () => {
    const cacheOf = async (sku: string) => (await shop.ask(`/v1/products/${sku}`)).headers.get('cache-status')
    for (const sku of ['BP-1004', 'BP-1005']) await cacheOf(sku)
    expect([await cacheOf('BP-1004'), await cacheOf('BP-1005')]).to.satisfy((all: string[]) =>
      all.every((one) => /hit/.test(one)),
    )
    await somebody.go('/cache')
    await page.getByText('Some products', { exact: true }).click()
    await page.getByLabel('SKUs').fill('BP-1004\n')
    await page.getByRole('button', { name: 'Purge these products' }).click()
    await page.getByText('Every process forgets 1 SKU of Acme Parts').waitFor()
    expect(await cacheOf('BP-1004')).to.not.match(/hit/)
    expect(await cacheOf('BP-1005')).to.match(/hit/)
  })

  it('purges all of a shop', async () => {
    await somebody.go('/cache')
    await page.getByText('All of a shop', { exact: true }).click()
    await page.getByRole('button', { name: 'Purge this shop' }).click()
    await page.getByText('all that was cached of Acme Parts').waitFor()
    expect((await shop.ask('/v1/products/BP-1005')).headers.get('cache-status')).to.not.match(/hit/)
  })

  it('is written to the audit log, with who, what and to what', async () => {
    const rows = await shop.forecourt.db.selectFrom('audit_log').selectAll().orderBy('at').execute()
    const done = rows.filter(({ action }) => /^(?:breaker|cache)\./.test(action))
    expect(
      done.map(({ operator, action, outcome, target }) => [operator, action, outcome, JSON.parse(target)]),
    ).to.deep.equal([
      [
        'ann',
        'breaker.hold',
        'done',
        { merchant: 'acme', mode: 'live', system: 'pricing', state: 'open', minutes: '15' },
      ],
      ['ann', 'breaker.release', 'done', { merchant: 'acme', mode: 'live', system: 'pricing' }],
      ['ann', 'cache.purge', 'done', { merchant: 'acme', mode: 'both', skus: 'BP-1004' }],
      ['ann', 'cache.purge', 'done', { merchant: 'acme', mode: 'both', skus: 'all' }],
    ])
    expect(somebody.complaints()).to.deep.equal([])
  })
})
