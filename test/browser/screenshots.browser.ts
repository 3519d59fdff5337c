import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { environment } from '../../src/config/environment/process-environment.ts'
import { waitUntil } from '../live/support/wait-until.ts'
import { type BrowserSession, closeWindows, openBrowser, openBrowserSession, signIn } from './browser-session.ts'
import { type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'

const folder = resolve(import.meta.dirname, '../../docs/screens')
const MOST_BYTES = 200_000

/** With `SCREENS=1`, takes the screenshots of the guides while pricing hangs. */
if (environment.SCREENS)
  describe('the screenshots of the guides', () => {
    let running: RunningForecourt
    let browser: Browser
    let session: BrowserSession
    let page: Page
    let offset = 0

    before(async () => {
      await mkdir(folder, { recursive: true })
      // The limits that the guides describe.
      running = await startRunningForecourt({ timeoutMs: 700, deadlineMs: 1_500 })
      browser = await openBrowser()
      session = await openBrowserSession(browser, running.address, { colorScheme: 'light' })
      page = session.page
      await signIn(session)
      await sendRequests(20)
      running.freeze('pricing')
      await running.request('/v1/products?limit=5&offset=30', { 'x-request-id': 'till-4-1405' })
      await sendRequests(45)
    })
    after(async () => {
      await closeWindows()
      await running?.[Symbol.asyncDispose]()
    })

    async function sendRequests(count: number): Promise<void> {
      for (let sent = 0; sent < count; sent++) {
        await running.request(`/v1/products?limit=1&offset=${offset++}`)
        await sleep(20)
      }
    }

    async function takeScreenshot(name: string): Promise<void> {
      const file = join(folder, `${name}.png`)
      const screenshot = await page.screenshot({ fullPage: true })
      await sharp(screenshot).png({ palette: true, colours: 64, effort: 10 }).toFile(file)
      expect((await stat(file)).size).to.be.below(MOST_BYTES)
    }

    it('shows Now', async () => {
      await page.locator('[data-announce=headline]').getByText('Degraded: pricing of Acme Parts (live)').waitFor()
      await page.getByText(/degraded responses since/).waitFor()
      await sleep(1_500)
      await takeScreenshot('now')
    })

    it('shows an incident', async () => {
      await page.getByRole('link', { name: 'Prices', exact: true }).click()
      await page.getByRole('heading', { name: 'Sample requests' }).waitFor()
      await takeScreenshot('incident')
    })

    it('shows a request', async () => {
      await session.go('/request?id=till-4-1405')
      await page.getByRole('heading', { name: 'Calls to systems' }).waitFor()
      await takeScreenshot('request')
    })

    it('shows the timeline', async () => {
      const { db } = running.forecourt
      const priceRows = db.selectFrom('timeline').select('degraded').where('section', '=', 'price')
      await waitUntil('the timeline is written', async () =>
        (await priceRows.execute()).some(({ degraded }) => degraded > 0),
      )
      await insertPastHours(running)
      await session.go('/timeline?range=6h')
      await page.locator('canvas').nth(2).waitFor()
      await page.evaluate(`[...document.querySelectorAll('section.chart')].slice(4).forEach((chart) => chart.remove())`)
      await sleep(500)
      await takeScreenshot('timeline')
    })
  })

/** Inserts timeline rows of the past hours. */
async function insertPastHours({ forecourt: { db } }: RunningForecourt): Promise<void> {
  const rows = await db.selectFrom('timeline').selectAll().where('step', '=', 'minute').execute()
  const bySeries = new Map(rows.map((row) => [`${row.system}/${row.section}`, row]))
  const now = Date.now()
  for (const row of bySeries.values()) {
    const isHit = row.system === 'pricing' || (row.system === '' && row.section === '')
    for (let ago = 2; ago < 350; ago++) {
      const at = new Date(Math.floor((now - ago * 60_000) / 60_000) * 60_000).toISOString()
      const total = Math.round(220 + 60 * Math.sin(ago / 40) + 25 * Math.sin(ago * 1.7))
      const failing = isHit && ago > 120 && ago < 146
      const degraded = failing ? Math.round(total * (row.section === '' && row.system === '' ? 0.55 : 0.8)) : 0
      const slow = failing ? degraded : Math.round(total * 0.02)
      const quick = {
        le_5: total - slow - 30,
        le_10: 20,
        le_25: 10,
        le_700: failing ? slow : 0,
        le_50: failing ? 0 : slow,
      }
      await db
        .insertInto('timeline')
        .values({
          ...setNumbersToZero(row),
          ...quick,
          at,
          total,
          degraded,
          longest_ms: null,
          stale: Math.round(degraded / 3),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }
  const times = { from: new Date(now - 145 * 60_000).toISOString(), to: new Date(now - 121 * 60_000).toISOString() }
  const change = { tenant_id: 'acme', mode: 'live', system: 'pricing', process: 'shown', by: null } as const
  await db
    .insertInto('breaker_changes')
    .values([
      { ...change, change_id: 'shown-1', at: times.from, state: 'open' },
      { ...change, change_id: 'shown-2', at: times.to, state: 'closed' },
    ])
    .execute()
}

const setNumbersToZero = <T extends object>(row: T): T =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? 0 : value])) as T
