import { expect } from 'chai'
import { createFairCache } from '../../../src/cache/fair-cache.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { InventoryItem, InventoryPort, ItemPage, Product } from '../../../src/ports/inventory.ts'
import { listProductsRoute } from '../../../src/routes/catalog/products.ts'
import { createBackOffice } from '../../../src/upstream/back-office.ts'
import { createGuard, guardDefaults } from '../../../src/upstream/guard/guard.ts'
import { createRequestScope } from '../../../src/upstream/request/request-scope.ts'
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

/** A merchant whose systems record their calls. */
function world(search: InventoryPort['search']) {
  const calls: string[] = []
  const guarded = <P>(port: P) => ({ port, guard: createGuard('inventory', { ...guardDefaults, timeoutMs: 30_000 }) })
  const inventory = {
    maxSkus: 50,
    watermarkOverlapSeconds: 0,
    categories: async () => [],
    search(...params: Parameters<InventoryPort['search']>) {
      calls.push('search')
      return search(...params)
    },
    async items(skus: readonly string[]) {
      calls.push(`items ${skus}`)
      return skus.map(itemOf)
    },
  }
  const pricing = {
    maxSkus: 50,
    watermarkOverlapSeconds: 0,
    async prices(skus: readonly string[]) {
      calls.push(`prices ${skus}`)
      return skus.map((sku) => ({ sku, amount: '1.00', price_type: 'LIST' as const, list_amount: '1.00', breaks: [] }))
    },
  }
  const accounting = {
    maxSkus: 50,
    async taxes(skus: readonly string[]) {
      calls.push(`taxes ${skus}`)
      return skus.map((sku) => ({ sku, code: 'GCT', name: 'GCT', rate: '0.15' }))
    },
  }
  const backOffice = createBackOffice({
    ...{
      tenantKey: 'acme/live',
      timeZone: 'UTC',
      bandLimits: { low: 5, hysteresis: 2 },
      cache: createFairCache(1_000_000),
    },
    inventory: guarded(inventory),
    pricing: guarded(pricing as never),
    accounting: guarded(accounting as never),
  })
  const requestScope = () => createRequestScope({ requestId: 'r' }, { totalMs: 30_000, reserveMs: 0 })
  const page = async () => {
    const question = { query: { limit: 50, offset: 0 }, customerId: null, merchant: { currency: 'JMD' }, backOffice }
    const { body } = await listProductsRoute.handle({ ...question, requestScope: requestScope() } as never)
    return body as { data: { sku: string; price: { amount: string } | null }[]; errors: { field: string }[] }
  }
  return { calls, backOffice, page }
}

describe('GET /v1/products, with nothing cached', () => {
  it('reads prices and taxes as soon as the search returns SKUs, while products are read', async () => {
    const read = Promise.withResolvers<ItemPage>()
    const { calls, page } = world((_query, _parts, _call, onSkus) => {
      onSkus!(SKUS)
      return read.promise
    })
    const response = page()
    await until('prices and taxes are asked for', () => calls.length === 3)
    read.resolve(pageOf(SKUS))
    expect((await response).data.map(({ price }) => price?.amount)).to.deep.equal(['1.00', '1.00'])
    expect(calls).to.have.members(['search', 'prices A,B', 'taxes A,B'])
  })

  it('calls each system once for a page whose SKUs are cached', async () => {
    const { calls, backOffice, page } = world(async () => pageOf(SKUS))
    await page()
    backOffice.invalidate(SKUS, false)
    calls.length = 0
    expect((await page()).data.map(({ price }) => price?.amount)).to.deep.equal(['1.00', '1.00'])
    expect(calls).to.have.members(['items A,B', 'prices A,B', 'taxes A,B'])
  })

  it('prices the page that it returns, if the search first named another', async () => {
    let named = SKUS
    const { backOffice, page } = world(async (_query, _parts, _call, onSkus) => {
      onSkus!(named)
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
