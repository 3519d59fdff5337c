import { expect } from 'chai'
import type { ConsoleRequest } from '../../../../src/console/console-page.ts'
import { createMerchantDirectory } from '../../../../src/console/merchant-directory.ts'
import { createProductPage, type ProductPageParts } from '../../../../src/console/pages/lookup/product-page.ts'
import { Problem } from '../../../../src/errors.ts'
import type { Database } from '../../../../src/storage/database.ts'

const NOW = Date.parse('2026-11-21T14:05:00.000Z')
const absent = [{ value: null, error: null, stale: false, partial: false, asOf: NOW }]
const nothingCached = () => null
/** Each system responds, and has nothing. */
const backOffice = {
  cached: { product: nothingCached, availability: nothingCached, price: nothingCached, tax: nothingCached },
  products: async () => absent,
  availability: async () => absent,
  prices: async () => absent,
  taxes: async () => absent,
  itemsNow: async () => new Map(),
  pricesNow: async () => new Map(),
  taxesNow: async () => new Map(),
}

describe('the page of a product', () => {
  it('reads nothing from the store for a SKU that no system knows', async () => {
    const queries: string[] = []
    const db = new Proxy({} as Database, {
      get(_, name) {
        queries.push(String(name))
        throw new Error('the store was read')
      },
    })
    const page = createProductPage({
      ...{ db, mirrors: [], now: () => NOW },
      upstreams: { forTenant: () => ({ backOffice }) } as unknown as ProductPageParts['upstreams'],
      merchants: createMerchantDirectory(
        [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'UTC', currency: 'JMD' }],
        () => NOW,
      ),
    })
    const params = { merchant: 'acme', mode: 'live', sku: 'NO-SUCH-SKU' }
    const error = await Promise.resolve(page.respond({ params } as unknown as ConsoleRequest)).catch((e: unknown) => e)
    expect(queries).to.deep.equal([])
    expect(error).to.be.instanceOf(Problem).with.property('code', 'not_found')
  })
})
