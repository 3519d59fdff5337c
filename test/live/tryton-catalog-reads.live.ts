import { Type } from 'typebox'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { startApi } from '../support/api.ts'
import { describeCatalogReads } from '../support/catalog-read-suite.ts'
import { connectClerk } from '../support/tryton/connect-tryton.ts'
import { trytonAccess } from './support/tryton-environment.ts'

const Ids = responseSchema(Type.Array(Type.Integer()))

for (const [name, mirror] of [
  ['a real Tryton', null],
  ['a real Tryton, with a mirror', { maxAgeMs: 3_600_000 }],
] as const)
  describeCatalogReads(name, async () => {
    const { storefront, clerk: desk } = trytonAccess()
    const { address, ...login } = storefront
    const system = {
      adapter: 'tryton',
      address,
      settings: { ...login, brand_attribute: 'brand', mpn_attribute: 'mpn' },
      limits: { timeoutMs: 50_000 },
      maxResponseBytes: 8_000_000,
    }
    const { rpc, close } = connectClerk(desk)
    const call = { signal: new AbortController().signal, requestId: 'reads', timeoutMs: () => 600_000 }
    const [garage] = await rpc(Ids, 'party.party.search', [[['name', '=', 'Half Way Tree Garage']]], call)
    await close()
    const api = await startApi({
      mirror,
      merchants: () => [{ merchant: 'erp', sandbox: { inventory: system, pricing: system, accounting: system } }],
      deadlineMs: 60_000,
    })
    await api.fillMirror({ tenant: { merchant: 'erp', mode: 'sandbox' } })
    return {
      api,
      merchant: 'erp',
      isMirrored: mirror !== null,
      products: {
        inStock: 'PAD-001',
        low: 'PAD-002',
        out: 'PAD-006',
        leadTime: 'PAD-003',
        overdue: 'PAD-004',
        withdrawn: 'OLD-001',
        escaped: '50%_X\\Y/#1',
        taxExempt: 'MAP-001',
        category: { slug: 'brakes', below: ['PAD-001', 'DSC-008'] },
        tag: { tag: 'bestseller', of: 'PAD-001' },
        words: { q: 'COROLLA brake pad', find: 'PAD-001' },
        contract: { customer: String(garage), sku: 'BAT-001' },
        vehicles: false,
      },
    }
  })
