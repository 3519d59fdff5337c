import { expect } from 'chai'
import { createStockChangeFeed } from '../../../adapters/odoo/catalog/stock-changes.ts'
import type { Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { createCall } from '../conformance/subject.ts'

const row = { id: 7, default_code: 'PAD-001', write_date: '2026-11-23 20:00:00' }
/** An Odoo in which one product was written, and no quantity or move. */
const rpc = {
  call: async () => [],
  search: async () => ({ length: 1, records: [row] }),
} as unknown as Rpc
const stock = { available: 0, expected: [], sell_when_out: true }

describe('odoo: stock changes', () => {
  it('has a product whose policy was written without its stock', async () => {
    const feed = createStockChangeFeed({ rpc, companyDomain: [] }, async () => [{ sku: 'PAD-001', stock }], Date.now)
    const query = { since: '2026-11-23T19:00:00.000Z', limit: 10, offset: 0 }
    const { changes } = await feed(query, createCall())
    expect(changes).to.deep.equal([{ sku: 'PAD-001', updated_at: '2026-11-23T20:00:00.000Z', stock }])
  })
})
