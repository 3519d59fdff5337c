import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type BrowserSession, closeWindows, openBrowser, openBrowserSession, signIn } from './browser-session.ts'
import { type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'

describe('operator actions in a browser', () => {
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

  const readState = () => page.locator('[data-announce=state]').innerText()
  /** With the keyboard: the page of Now renews itself, and its rows may move below the mouse. */
  async function openCircuit() {
    await page.getByRole('link', { name: /pricing of Acme Parts \(live\)/ }).press('Enter')
    await page.waitForURL(/\/acme\/live\//)
  }
  const findCircuit = (system: string) =>
    running.forecourt.upstreams.states().find((circuit) => circuit.mode === 'live' && circuit.system === system)!
  const readCodes = async (path: string) =>
    (await running.request(path)).body.errors.map(({ code }: { code: string }) => code)

  it('keep the focus on a link whose row moves', async () => {
    const link = page.getByRole('link', { name: /pricing of Acme Parts \(live\)/ })
    await link.focus()
    expect(await link.innerText()).to.not.match(/^Stop or force/)
    await running.request('/v1/products/BP-1001')
    await page.getByRole('link', { name: /^Stop or force calls to pricing of Acme Parts \(live\)/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/acme\/live\//)
    await session.go('/')
  })

  it('stop calls: none are made, and Now shows the operator', async () => {
    await running.request('/v1/products/BP-1001')
    await openCircuit()
    await page.getByText('Stop calls', { exact: true }).click()
    await page.getByLabel('For how long').first().selectOption('15')
    await page.getByRole('button', { name: /^Stop calls for all shoppers of Acme Parts/ }).click()
    await page.getByText('are stopped for 15 min').waitFor()
    expect(await readState()).to.equal('Calls stopped')
    expect(findCircuit('pricing').held).to.include({ state: 'open', by: 'ann' })
    expect(await readCodes('/v1/products/BP-1002')).to.deep.equal(['circuit_open'])
    await page.getByRole('link', { name: 'Now' }).first().click()
    await page.getByText(/by ann until/).waitFor()
  })

  it('let Forecourt decide again: calls are made', async () => {
    await openCircuit()
    await page.getByRole('button', { name: 'Let Forecourt decide again' }).click()
    await page.getByText('Forecourt decides again by itself').waitFor()
    expect(findCircuit('pricing').held).to.equal(null)
    expect(await readCodes('/v1/products/BP-1003')).to.deep.equal([])
  })

  it('purge only some products', async () => {
    const readCacheStatus = async (sku: string) =>
      (await running.request(`/v1/products/${sku}`)).headers.get('cache-status')
    for (const sku of ['BP-1004', 'BP-1005']) await readCacheStatus(sku)
    expect([await readCacheStatus('BP-1004'), await readCacheStatus('BP-1005')]).to.satisfy((all: string[]) =>
      all.every((status) => /hit/.test(status)),
    )
    await session.go('/cache')
    await page.getByText('Some products', { exact: true }).click()
    await page.getByLabel('SKUs').fill('BP-1004\n')
    await page.getByRole('button', { name: 'Purge these products' }).click()
    await page.getByText('Purged in every process: 1 SKU of Acme Parts').waitFor()
    expect(await readCacheStatus('BP-1004')).to.not.match(/hit/)
    expect(await readCacheStatus('BP-1005')).to.match(/hit/)
  })

  it('purge all entries of a merchant', async () => {
    await session.go('/cache')
    await page.getByText('All entries of a merchant', { exact: true }).click()
    await page.getByRole('button', { name: 'Purge this merchant' }).click()
    await page.getByText('Purged in every process: all entries of Acme Parts').waitFor()
    expect((await running.request('/v1/products/BP-1005')).headers.get('cache-status')).to.not.match(/hit/)
  })

  it('are written to the audit log with operator, action and target', async () => {
    const rows = await running.forecourt.db.selectFrom('audit_log').selectAll().orderBy('at').execute()
    const actions = rows.filter(({ action }) => /^(?:breaker|cache)\./.test(action))
    expect(
      actions.map(({ operator, action, outcome, target }) => [operator, action, outcome, JSON.parse(target)]),
    ).to.deep.equal([
      [
        'ann',
        'breaker.hold',
        'done',
        { merchant: 'acme', mode: 'live', circuit: 'pricing', state: 'open', minutes: '15' },
      ],
      ['ann', 'breaker.release', 'done', { merchant: 'acme', mode: 'live', circuit: 'pricing' }],
      ['ann', 'cache.purge', 'done', { merchant: 'acme', mode: 'both', skus: 'BP-1004' }],
      ['ann', 'cache.purge', 'done', { merchant: 'acme', mode: 'both', skus: 'all' }],
    ])
    expect(session.takeConsoleErrors()).to.deep.equal([])
  })
})
