import { expect } from 'chai'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { waitUntil } from '../live/support/wait-until.ts'
import { type BrowserSession, closeWindows, openBrowser, openBrowserSession, signIn } from './browser-session.ts'
import { type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'
import { insertSupportRecords } from './support-records.ts'

/** A page is loaded once for each. The colours depend on neither width nor touch, so the phone needs one scheme. */
const variants: readonly [name: string, options: BrowserContextOptions, schemes: readonly ('light' | 'dark')[]][] = [
  ['on a screen, in light and in dark', {}, ['light', 'dark']],
  ['on a phone 360 pixels wide', { viewport: { width: 360, height: 640 }, hasTouch: true }, ['light']],
]
const SUBSCRIPTION = 'whk_0000000000000000000001'
const DELIVERY = '00000000-0000-0000-0000-000000000001'
const paths = [
  '/',
  '/incidents',
  '/incidents?state=open',
  '/timeline',
  '/timeline?range=30d',
  '/request',
  '/request?id=none',
  '/request?id=degraded-request',
  '/circuits/acme/live/pricing',
  '/cache',
  '/webhooks',
  '/keys',
  '/audit',
  '/mirrors',
  '/notices',
  '/time-zone',
  '/codes/downstream_timeout',
  '/products/acme/live/BP-1001',
  '/find?q=C-77',
  '/find?q=none',
  '/no-such-page',
  `/webhooks/${SUBSCRIPTION}`,
  `/webhooks/${SUBSCRIPTION}/deliveries/${DELIVERY}`,
]

/** Scripts for the page are strings, because these files have no DOM types. */
const OPEN_ALL_DETAILS = `document.querySelectorAll('main details').forEach((details) => details.setAttribute('open', ''))`

describe('the accessibility of the pages', () => {
  let running: RunningForecourt
  let browser: Browser
  let incidentId: string
  let supportPaths: string[]

  before(async () => {
    running = await startRunningForecourt()
    browser = await openBrowser()
    await insertFailingEndpoint(running)
    supportPaths = (await insertSupportRecords(running)).paths
    running.freeze('pricing')
    await running.request('/v1/products/BP-1001', { 'x-request-id': 'degraded-request' })
    await Promise.all(
      Array.from({ length: 12 }, (_, offset) => running.request(`/v1/products?limit=1&offset=${offset}`)),
    )
    await waitUntil('there is an incident', async () => {
      const found = await running.forecourt.db.selectFrom('incidents').select('incident_id').executeTakeFirst()
      incidentId = found?.incident_id ?? ''
      return found !== undefined
    })
  })
  after(async () => {
    await closeWindows()
    await running?.[Symbol.asyncDispose]()
  })

  for (const [name, options, schemes] of variants) {
    describe(name, () => {
      let session: BrowserSession

      before(async () => {
        session = await openBrowserSession(browser, running.address, options)
        await session.go('/')
        expect(await session.findViolations()).to.deep.equal([])
        await signIn(session)
      })
      after(() => session?.[Symbol.asyncDispose]())

      async function check(path: string): Promise<void> {
        const { page, go, findViolations, takeConsoleErrors } = session
        await go(path)
        await page.locator('main h1').waitFor()
        // Closed details are checked too.
        await page.evaluate(OPEN_ALL_DETAILS)
        if (path.startsWith('/timeline')) await page.locator('canvas').first().waitFor()
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          expect(await findViolations(), `${path} in ${colorScheme}`).to.deep.equal([])
        }
        const overflowPx = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        expect(overflowPx, `horizontal overflow of ${path} in pixels`).to.be.at.most(0)
        const expected = path === '/no-such-page' ? /status of 404/ : /^$/
        expect(takeConsoleErrors().filter((error) => !expected.test(error))).to.deep.equal([])
      }

      for (const path of paths)
        it(`follows accessibility rules and policy, and fits the width, at ${path}`, () => check(path))

      const kinds = ['an incident', 'an order', 'a cart', 'a customer', 'an account', 'a key', 'an order in accounting']
      for (const [index, kind] of kinds.entries())
        it(`follows accessibility rules and policy, and fits the width, at ${kind}`, () =>
          check([`/incidents/${incidentId}`, ...supportPaths][index]!))
    })
  }
})

/** Inserts a failing endpoint with one abandoned delivery. */
async function insertFailingEndpoint({ forecourt: { db } }: RunningForecourt): Promise<void> {
  const at = '2026-11-21T12:00:00.000Z'
  const subscription = { subscription_id: SUBSCRIPTION, tenant_id: 'acme', mode: 'live' } as const
  const nulls = { description: null, disabled_reason: null, disabled_at: null, last_success_at: null }
  await db
    .insertInto('subscriptions')
    .values({
      ...subscription,
      ...nulls,
      endpoint_url: 'https://shop.example/hooks',
      event_types: '["order.*"]',
      status: 'FAILING',
      secret: '',
      secret_hint: '',
      previous_secret: null,
      previous_secret_expires_at: null,
      consecutive_failures: 6,
      exhausted: 1,
      failing_since: at,
      last_delivery_at: at,
      created_at: at,
      updated_at: at,
    })
    .execute()
  const attempt = { number: 1, at, duration_ms: 5_000, response_status: null, error: 'timeout', response_excerpt: null }
  await db
    .insertInto('deliveries')
    .values({
      ...subscription,
      delivery_id: DELIVERY,
      event_id: 'evt_1',
      event_type: 'order.confirmed',
      coalesce: null,
      lease: null,
      status: 'EXHAUSTED',
      cause: 'EVENT',
      attempts: 1,
      log: JSON.stringify([attempt]),
      response_status: null,
      due_at: at,
      created_at: at,
      ended_at: at,
    })
    .execute()
}
