import type { Operation } from '../adapters/conformance/operations.ts'
import type { Facts } from '../adapters/conformance/subject.ts'
import { describeConformance } from '../adapters/conformance/suite.ts'
import { connectOdooPorts } from '../support/odoo/connect-odoo.ts'

const address = process.env.ODOO_ADDRESS ?? ''
const apiKey = process.env.ODOO_API_KEY ?? ''
const facts: Facts = {
  skus: ['PAD-001', 'OFL-001', 'OIL-002', 'DUP-002'],
  unknownSku: 'zxqj-no-such-sku',
  unknownCustomerId: '99999',
  deactivatedSku: 'OLD-001',
  awkwardSkus: ['50%_X\\Y/#1'],
  duplicateSkus: [
    { sku: 'DUP-001', name: 'Doubled: the older record', amount: '333.00' },
    { sku: 'DUP-002', name: 'Replaced: the record in use', amount: '444.00' },
  ],
  search: { q: 'Polish Glänzend', sku: '50%_X\\Y/#1' },
  category: { category_id: '6', slug: 'oil-filters', sku: 'OFL-001' },
  tag: { tag: 'bestseller', sku: 'PAD-001' },
  expectedSku: 'PAD-003',
  pictureSku: 'PAD-001',
}
const offers: Operation[] = [
  'inventory.search',
  'inventory.items',
  'inventory.categories',
  'inventory.tags',
  'inventory.picture',
  'inventory.stockChanges',
]
describeConformance('odoo', {
  offers,
  timeoutMs: 600_000,
  unexamined: ['clerk.product', 'clerk.stock'],
  shares: [],
  async connect() {
    return {
      facts,
      clerk: {},
      connect(way) {
        const { close, ...ports } = connectOdooPorts({ address: way(address), apiKey })
        return { ...ports, [Symbol.asyncDispose]: close }
      },
      async close() {},
    }
  },
})
