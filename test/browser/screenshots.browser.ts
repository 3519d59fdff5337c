import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { environment } from '../../src/config/config.ts'
import { waitUntil } from '../live/support/wait-until.ts'
import { type BrowserSession, openBrowser, openBrowserSession, signIn } from './browser-session.ts'
import { type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'

const folder = resolve(import.meta.dirname, '../../docs/screens')
const MOST_BYTES = 200_000

/** `SCREENS=1`: the pictures of the guides are taken anew, of a morning on which pricing hung for a while. */
if (environment.SCREENS)
  describe('the pictures of the guides', () => {
    let shop: RunningForecourt
    let browser: Browser
    let somebody: BrowserSession
    let page: Page
    let offset = 0

    before(async () => {
      await mkdir(folder, { recursive: true })
      // As the guides tell of it.
      shop = await startRunningForecourt({ timeoutMs: 700, deadlineMs: 1_500 })
      browser = await openBrowser()
      somebody = await openBrowserSession(browser, shop.address, { colorScheme: 'light' })
      page = somebody.page
      await signIn(somebody)
      await shopping(20)
      shop.freeze('pricing')
      await shop.ask('/v1/products?limit=5&offset=30', { 'x-request-id': 'till-4-1405' })
      await shopping(45)
    })
    after(async () => {
      await browser?.close()
      await shop?.[Symbol.asyncDispose]()
    })

    async function shopping(answers: number): Promise<void> {
      for (let given = 0; given < answers; given++) {
        await shop.ask(`/v1/products?limit=1&offset=${offset++}`)
        await pause(20)
      }
    }

    async function picture(name: string): Promise<void> {
      const file = join(folder, `${name}.png`)
      const taken = await page.screenshot({ fullPage: true })
      await sharp(taken).png({ palette: true, colours: 64, effort: 10 }).toFile(file)
      expect((await stat(file)).size).to.be.below(MOST_BYTES)
    }

    it('shows Now', async () => {
      await page.locator('[data-announce=headline]').getByText('Degraded: pricing of Acme Parts (live)').waitFor()
      await page.getByText(/answers since/).waitFor()
      await pause(1_500)
      await picture('now')
    })

    it('shows an incident', async () => {
      await page.getByRole('link', { name: 'Prices', exact: true }).click()
      await page.getByRole('heading', { name: 'Some of its requests' }).waitFor()
      await picture('incident')
    })

    it('shows a request', async () => {
      await somebody.go('/request?id=till-4-1405')
      await page.getByRole('heading', { name: 'Calls to the systems' }).waitFor()
      await picture('request')
    })

    it('shows the timeline', async () => {
      const { db } = shop.forecourt
      const priced = db.selectFrom('timeline').select('degraded').where('section', '=', 'price')
      await waitUntil('what was counted is written', async () =>
        (await priced.execute()).some(({ degraded }) => degraded > 0),
      )
      await pastHours(shop)
      await somebody.go('/timeline?range=6h')
      await page.locator('canvas').nth(3).waitFor()
      await page.evaluate(`[...document.querySelectorAll('section.chart')].slice(4).forEach((one) => one.remove())`)
      await pause(500)
      await picture('timeline')
    })
  })

/** Hours in which shoppers came, as they would have been counted. */
async function pastHours({ forecourt: { db } }: RunningForecourt): Promise<void> {
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
        .values({ ...zero(row), ...quick, at, total, degraded, stale: Math.round(degraded / 3) })
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

const zero = <T extends object>(row: T): T =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? 0 : value])) as T
