import { expect } from 'chai'
import { createFairCache } from '../../../src/cache/fair-cache.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { InventoryItem, InventoryPort, ItemPage, Product } from '../../../src/ports/inventory.ts'
import { listProductsRoute } from '../../../src/routes/catalog/products.ts'
import { createBackOffice } from '../../../src/upstream/back-office.ts'
import { createGuard, guardDefaults } from '../../../src/upstream/guard.ts'
import { createRequestScope } from '../../../src/upstream/request-scope.ts'
import { until } from '../../support/until.ts'

const SKUS = ['A', 'B']

const itemOf = (sku: string): InventoryItem => ({
  sku,
  product: {
    sku,
    name: sku,
    slug: sku,
    active: true,
    media: [],
    updated_at: '2026-01-01T00:00:00.000Z',
  } as never as Product,
  stock: { available: 9, expected: [] },
})
const pageOf = (skus: string[]): ItemPage => ({ items: skus.map(itemOf), total: skus.length, has_more: false })

/** A merchant whose systems note what they are asked. */
function world(search: InventoryPort['search']) {
  const asked: string[] = []
  const guarded = <P>(port: P) => ({ port, guard: createGuard('inventory', { ...guardDefaults, timeoutMs: 30_000 }) })
  const inventory = {
    ...{ maxSkus: 50, watermarkOverlapSeconds: 0, categories: async () => [] },
    search(...params: Parameters<InventoryPort['search']>) {
      asked.push('search')
      return search(...params)
    },
    async items(skus: readonly string[]) {
      asked.push(`items ${skus}`)
      return skus.map(itemOf)
    },
  }
  const pricing = {
    ...{ maxSkus: 50, watermarkOverlapSeconds: 0 },
    async prices(skus: readonly string[]) {
      asked.push(`prices ${skus}`)
      return skus.map((sku) => ({ sku, amount: '1.00', price_type: 'LIST' as const, list_amount: '1.00', breaks: [] }))
    },
  }
  const accounting = {
    maxSkus: 50,
    async taxes(skus: readonly string[]) {
      asked.push(`taxes ${skus}`)
      return skus.map((sku) => ({ sku, code: 'GCT', name: 'GCT', rate: '0.15' }))
    },
  }
  const backOffice = createBackOffice({
    ...{
      owner: 'acme/live',
      timeZone: 'UTC',
      bandLimits: { low: 5, hysteresis: 2 },
      cache: createFairCache(1_000_000),
    },
    ...{ inventory: guarded(inventory), pricing: guarded(pricing as never), accounting: guarded(accounting as never) },
  })
  const requestScope = () => createRequestScope({ requestId: 'r' }, { totalMs: 30_000, reserveMs: 0 })
  const page = async () => {
    const question = { query: { limit: 50, offset: 0 }, customerId: null, merchant: { currency: 'JMD' }, backOffice }
    const { body } = await listProductsRoute.answer({ ...question, requestScope: requestScope() } as never)
    return body as { data: { sku: string; price: { amount: string } | null }[]; errors: { field: string }[] }
  }
  return { asked, backOffice, page }
}

describe('GET /v1/products, when nothing is at hand', () => {
  it('asks for prices and taxes as soon as the SKUs are named, while they are read', async () => {
    const read = Promise.withResolvers<ItemPage>()
    const { asked, page } = world((_query, _parts, _call, coming) => {
      coming!(SKUS)
      return read.promise
    })
    const answer = page()
    await until('prices and taxes are asked for', () => asked.length === 3)
    read.resolve(pageOf(SKUS))
    expect((await answer).data.map(({ price }) => price?.amount)).to.deep.equal(['1.00', '1.00'])
    expect(asked).to.have.members(['search', 'prices A,B', 'taxes A,B'])
  })

  it('asks each system once for a page whose SKUs are known, and nothing more of them', async () => {
    const { asked, backOffice, page } = world(async () => pageOf(SKUS))
    await page()
    backOffice.invalidate(SKUS, false)
    asked.length = 0
    expect((await page()).data.map(({ price }) => price?.amount)).to.deep.equal(['1.00', '1.00'])
    expect(asked).to.have.members(['items A,B', 'prices A,B', 'taxes A,B'])
  })

  it('prices the page that it shows, should another have been named', async () => {
    let named = SKUS
    const { backOffice, page } = world(async (_query, _parts, _call, coming) => {
      coming!(named)
      if (named !== SKUS) throw new UpstreamError('error', 'it broke off')
      return pageOf(SKUS)
    })
    await page()
    backOffice.invalidate(SKUS, true)
    named = ['C']
    const { data } = await page()
    expect(data.map(({ sku, price }) => [sku, price?.amount])).to.deep.equal([
      ['A', '1.00'],
      ['B', '1.00'],
    ])
  })
})
