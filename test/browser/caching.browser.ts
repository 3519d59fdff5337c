import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { setStock } from '../../src/sandbox/control/inventory-control-client.ts'
import { type Api, startApi } from '../support/api.ts'
import { until } from '../support/until.ts'
import { closeWindows, openBrowser } from './browser-session.ts'

interface Read {
  price: unknown
  band: string
  /** False: the browser used its own copy without asking. */
  wasSent: boolean
}

const PATH = '/v1/products/BP-1001'

describe('the cache of a browser', () => {
  let api: Api
  let browser: Browser
  let page: Page

  before(async () => {
    api = await startApi({
      feedIntervalMs: 100,
      merchants: (of) => [
        {
          merchant: 'shop',
          maxAgeSeconds: 60,
          live: of('acme-live'),
          sandbox: { ...of('acme'), fitment: 'imported' },
          mirror: null,
        },
      ],
    })
    await until('the feeds have begun', async () => {
      const feeds = await api.db.selectFrom('feeds').select('baseline').where('tenant_id', '=', 'shop').execute()
      return feeds.length === 10 && feeds.every(({ baseline }) => baseline === 0)
    })
    browser = await openBrowser()
    page = await browser.newPage()
    await page.goto(`${api.address}/livez`)
  })
  after(async () => {
    await closeWindows()
    await api?.[Symbol.asyncDispose]()
  })

  function read(key: string, headers: Record<string, string> = {}): Promise<Read> {
    const sent = JSON.stringify({ ...headers, authorization: `Bearer ${key}` })
    return page.evaluate<Read>(`(async () => {
      performance.clearResourceTimings()
      const { price, availability } = await (await fetch('${PATH}', { headers: ${sent} })).json()
      const entry = performance.getEntriesByType('resource').at(-1)
      return { price: price?.amount ?? null, band: availability.band, wasSent: entry.transferSize > 0 }
    })()`)
  }

  it('shows neither a healthy copy for a simulated fault, nor the reverse', async () => {
    const key = await api.key({ merchant: 'shop' })
    const healthy = await read(key)
    expect(healthy.price).to.be.a('string')
    expect((await read(key, { 'X-Sandbox-Fault': 'pricing=error' })).price).to.equal(null)
    expect(await read(key)).to.deep.equal(healthy)
  })

  it('shows a new band once its event can be read', async () => {
    const key = await api.key({ merchant: 'shop' })
    const secret = await api.key({ merchant: 'shop', kind: 'secret' })
    expect((await read(key)).band).to.equal('IN_STOCK')
    await setStock(api.systems.inventory.controlAddress, 'acme', 'BP-1001', { available: 0 })
    await until('the event is listed', async () => {
      const { body } = await api.request('/v1/events?types=stock.changed', { key: secret })
      return body.data.some(({ resource }: { resource: { id: string } }) => resource.id === 'BP-1001')
    })
    expect(await read(key)).to.deep.include({ band: 'OUT', wasSent: true })
  })

  it('keeps a response of a live key as long as the merchant allows, and asks again with a sandbox key', async () => {
    const [live, sandbox] = [await api.key({ merchant: 'shop', mode: 'live' }), await api.key({ merchant: 'shop' })]
    const asked = []
    for (const key of [live, live, sandbox, sandbox]) asked.push((await read(key)).wasSent)
    expect(asked).to.deep.equal([true, false, true, true])
  })
})
