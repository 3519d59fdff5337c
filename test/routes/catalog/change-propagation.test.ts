import { expect } from 'chai'
import type { MirrorConfig } from '../../../src/config/mirror-config.ts'
import { setStock, updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { setPrice } from '../../../src/sandbox/control/pricing-control-client.ts'
import { type Api, type ApiOptions, type Reply, startApi } from '../../support/api.ts'
import { stores, type TestStore } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

for (const store of stores()) describeChanges(`over ${store.name}`, store, null)
describeChanges('with a mirror', stores()[0]!, { maxAgeMs: 3_600_000 })

function describeChanges(name: string, store: TestStore, mirror: MirrorConfig | null) {
  describe(`a catalog that changes in the back office, ${name}`, () => {
    let api: Api
    let key: string
    let secret: string

    before(async () => {
      // Creates its tables, as an operator would.
      await store.open()
      // The server's own mirror, which the change feed fills. Without the inventory's vehicles, that takes a few seconds.
      const merchants: ApiOptions['merchants'] = (of) => [
        { merchant: 'shop', sandbox: { ...of('acme'), fitment: 'imported' }, mirror },
      ]
      api = await startApi({ store: store.url(), feedIntervalMs: 100, merchants })
      key = await api.key({ merchant: 'shop' })
      secret = await api.key({ merchant: 'shop', kind: 'secret' })
      await until('all that was there at the beginning is known', async () => {
        const feeds = await api.db
          .selectFrom('feeds')
          .select('baseline')
          .where('tenant_id', '=', 'shop')
          .where('mode', '=', 'sandbox')
          .execute()
        return feeds.length === 5 && feeds.every(({ baseline }) => baseline === 0)
      })
      // Only a mirror sorts by price, when it has the prices and the stock.
      if (mirror)
        await until('the mirror is filled', async () => {
          const { status, body } = await api.request('/v1/products?sort=price&limit=1', { key })
          return status === 200 && (body as { errors: unknown[] }).errors.length === 0
        })
    })
    after(async () => {
      await api?.[Symbol.asyncDispose]()
      await store.close()
    })

    const read = (path: string, headers = {}) => api.request(path, { key, headers })
    /** Returns the newest event of that kind and resource; waits for one other than `after`. */
    async function receiveEvent(type: string, id: string): Promise<Record<string, unknown>> {
      let found: { data: Record<string, unknown> } | undefined
      await until(`${type} of ${id}`, async () => {
        const { body } = await api.request(`/v1/events?types=${type}&limit=200`, { key: secret })
        found = (body as { data: { resource: { id: string }; data: Record<string, unknown> }[] }).data.findLast(
          (event) => event.resource.id === id,
        )
        return found !== undefined
      })
      return found!.data
    }
    const priceOf = ({ body }: Reply) => (body as { price: { amount: string } }).price.amount
    const bandOf = ({ body }: Reply) => (body as { availability: { band: string } }).availability.band

    it('shows a new price, in the product and in lists, after its event', async () => {
      const before = await read('/v1/products/BP-1001')
      const listed = await read('/v1/products?q=BP-1001')
      // While a mirror is being filled, each part that arrives replaces the page.
      await until('its page is cached', async () =>
        /hit/.test(String((await read('/v1/products/BP-1001')).headers['cache-status'])),
      )
      await setPrice(api.systems.pricing.controlAddress, 'acme', 'BP-1001', '12.34')
      expect(await receiveEvent('product.updated', 'BP-1001')).to.deep.include({ sku: 'BP-1001', changed: ['price'] })
      const after = await read('/v1/products/BP-1001', { 'if-none-match': before.headers.etag })
      expect([after.status, priceOf(after)]).to.deep.equal([200, '12.34'])
      const again = await read('/v1/products?q=BP-1001', { 'if-none-match': listed.headers.etag })
      expect(again.status).to.equal(200)
      expect((again.body as { data: { price: { amount: string } }[] }).data[0]!.price.amount).to.equal('12.34')
    })

    it('shows a new band without a count, and keeps unchanged data cached', async () => {
      expect(bandOf(await read('/v1/products/BP-1012'))).to.equal('IN_STOCK')
      // A product page from a mirror shows alternatives too, so it depends on every product.
      const unchanged = mirror ? '/v1/products/OL-1001/availability' : '/v1/products/OL-1001'
      await read(unchanged)
      await setStock(api.systems.inventory.controlAddress, 'acme', 'BP-1012', { available: 3, expected: [] })
      const data = await receiveEvent('stock.changed', 'BP-1012')
      expect(data).to.deep.equal({ sku: 'BP-1012', band: 'LOW', previous_band: 'IN_STOCK', eta: null })
      expect(bandOf(await read('/v1/products/BP-1012'))).to.equal('LOW')
      const availability = await read('/v1/products/BP-1012/availability')
      expect((availability.body as { band: string }).band).to.equal('LOW')
      expect((await read(unchanged)).headers['cache-status']).to.match(/hit/)
    })

    it('no longer shows a withdrawn product', async () => {
      expect((await read('/v1/products/BP-1004')).status).to.equal(200)
      await updateProduct(api.systems.inventory.controlAddress, 'acme', 'BP-1004', { active: false })
      expect(await receiveEvent('product.deactivated', 'BP-1004')).to.have.keys('sku', 'updated_at')
      expect((await read('/v1/products/BP-1004')).status).to.equal(404)
      const { body } = await read('/v1/products?q=BP-1004')
      expect((body as { data: unknown[] }).data).to.deep.equal([])
    })

    it('sends no event for unchanged data', async () => {
      await setStock(api.systems.inventory.controlAddress, 'acme', 'BP-1012', { available: 2, expected: [] })
      await setStock(api.systems.inventory.controlAddress, 'acme', 'OL-1001', { available: 0, expected: [] })
      await receiveEvent('stock.changed', 'OL-1001')
      const { body } = await api.request('/v1/events?types=stock.changed&limit=200', { key: secret })
      const ids = (body as { data: { resource: { id: string } }[] }).data.map(({ resource }) => resource.id)
      expect(ids).to.deep.equal(['BP-1012', 'OL-1001'])
    })
  })
}
