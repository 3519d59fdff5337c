import { expect } from 'chai'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { waitUntil } from '../live/support/wait-until.ts'
import { type BrowserSession, openBrowser, openBrowserSession, signIn } from './browser-session.ts'
import { type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'

const ways: readonly [name: string, options: BrowserContextOptions][] = [
  ['in light', { colorScheme: 'light' }],
  ['in dark', { colorScheme: 'dark' }],
  ['on a phone 360 pixels wide', { colorScheme: 'light', viewport: { width: 360, height: 640 }, hasTouch: true }],
  ['on a phone in dark', { colorScheme: 'dark', viewport: { width: 360, height: 640 }, hasTouch: true }],
]
const SUBSCRIPTION = 'whk_0000000000000000000001'
const DELIVERY = '00000000-0000-0000-0000-000000000001'
const paths = [
  ...['/', '/incidents', '/incidents?state=open', '/timeline', '/timeline?range=30d', '/request', '/request?id=none'],
  ...['/request?id=the-till', '/circuits/acme/live/pricing', '/cache', '/webhooks', '/keys', '/audit', '/no-such-page'],
  ...[`/webhooks/${SUBSCRIPTION}`, `/webhooks/${SUBSCRIPTION}/deliveries/${DELIVERY}`],
]

/** What is done in the page is a string: these files know nothing of browsers. */
const OPENED = `document.querySelectorAll('main details').forEach((one) => one.setAttribute('open', ''))`

describe('the pages, for everybody', () => {
  let shop: RunningForecourt
  let browser: Browser
  let incident: string

  before(async () => {
    shop = await startRunningForecourt()
    browser = await openBrowser()
    await failingEndpoint(shop)
    shop.freeze('pricing')
    await shop.ask('/v1/products/BP-1001', { 'x-request-id': 'the-till' })
    await Promise.all(Array.from({ length: 12 }, (_, asked) => shop.ask(`/v1/products?limit=1&offset=${asked}`)))
    await waitUntil('there is an incident', async () => {
      const found = await shop.forecourt.db.selectFrom('incidents').select('incident_id').executeTakeFirst()
      incident = found?.incident_id ?? ''
      return found !== undefined
    })
  })
  after(async () => {
    await browser?.close()
    await shop?.[Symbol.asyncDispose]()
  })

  for (const [name, options] of ways) {
    describe(name, () => {
      let somebody: BrowserSession

      before(async () => {
        somebody = await openBrowserSession(browser, shop.address, options)
        await somebody.go('/')
        expect(await somebody.violations()).to.deep.equal([])
        await signIn(somebody)
      })
      after(() => somebody?.[Symbol.asyncDispose]())

      for (const path of [...paths, 'an incident'])
        it(`break no rule of accessibility or policy, and fit, at ${path}`, async () => {
          const { page, go, violations, complaints } = somebody
          await go(path === 'an incident' ? `/incidents/${incident}` : path)
          await page.locator('main h1').waitFor()
          // What is closed is looked at too.
          await page.evaluate(OPENED)
          if (path.startsWith('/timeline')) await page.locator('canvas').first().waitFor()
          expect(await violations()).to.deep.equal([])
          const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
          expect(wide, 'pixels that are out of sight to the right').to.be.at.most(0)
          const expected = path === '/no-such-page' ? /status of 404/ : /^$/
          expect(complaints().filter((one) => !expected.test(one))).to.deep.equal([])
        })
    })
  }
})

/** An endpoint that has taken nothing lately, and what was tried. */
async function failingEndpoint({ forecourt: { db } }: RunningForecourt): Promise<void> {
  const at = '2026-11-21T12:00:00.000Z'
  const owner = { subscription_id: SUBSCRIPTION, tenant_id: 'acme', mode: 'live' } as const
  const nothing = { description: null, disabled_reason: null, disabled_at: null, last_success_at: null }
  await db
    .insertInto('subscriptions')
    .values({
      ...{ ...owner, ...nothing, endpoint_url: 'https://shop.example/hooks', event_types: '["order.*"]' },
      ...{ status: 'FAILING', secret: '', secret_hint: '', previous_secret: null, previous_secret_expires_at: null },
      ...{
        consecutive_failures: 6,
        exhausted: 1,
        failing_since: at,
        last_delivery_at: at,
        created_at: at,
        updated_at: at,
      },
    })
    .execute()
  const attempt = { number: 1, at, duration_ms: 5_000, response_status: null, error: 'timeout', response_excerpt: null }
  await db
    .insertInto('deliveries')
    .values({
      ...{
        ...owner,
        delivery_id: DELIVERY,
        event_id: 'evt_1',
        event_type: 'order.confirmed',
        coalesce: null,
        lease: null,
      },
      ...{ status: 'EXHAUSTED', cause: 'EVENT', attempts: 1, log: JSON.stringify([attempt]), response_status: null },
      ...{ due_at: at, created_at: at, ended_at: at },
    })
    .execute()
}
