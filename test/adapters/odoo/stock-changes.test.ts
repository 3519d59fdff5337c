import { expect } from 'chai'
import { createStockChangeFeed } from '../../../adapters/odoo/catalog/stock-changes.ts'
import { createProductWrites } from '../../../adapters/odoo/catalog/written-products.ts'
import type { Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { createCall } from '../../support/create-call.ts'

const row = { id: 7, default_code: 'PAD-001', write_date: '2026-11-23 20:00:00', active: true, sale_ok: true }
/** An Odoo in which one product was written, and no quantity or move. */
const rpc = {
  call: async () => [],
  search: async () => ({ length: 1, records: [row] }),
} as unknown as Rpc
const stock = { available: 0, expected: [], sell_when_out: true }

const contextOf = (odoo: Rpc) => ({
  rpc: odoo,
  companyDomain: [],
  productWrites: createProductWrites({ rpc: odoo, companyDomain: [], publishedOnly: false }),
})

describe('odoo: stock changes', () => {
  it('has a product whose policy was written without its stock', async () => {
    const feed = createStockChangeFeed(contextOf(rpc), async () => [{ sku: 'PAD-001', stock }], Date.now)
    const query = { since: '2026-11-23T19:00:00.000Z', limit: 10, offset: 0 }
    const { changes } = await feed(query, createCall())
    expect(changes).to.deep.equal([{ sku: 'PAD-001', updated_at: '2026-11-23T20:00:00.000Z', stock }])
  })

  it('makes one call at rest, although the last change was in the second after which it asks', async () => {
    const asked: string[] = []
    const isWritten = ({ domain }: { domain: unknown[] }) =>
      domain.some((condition) => Array.isArray(condition) && condition[1] === '>=' && row.write_date >= condition[2])
    const odoo = {
      async call(_shape: unknown, method: string) {
        asked.push(method)
        return []
      },
      async search(_shape: unknown, model: string, search: { domain: unknown[] }) {
        asked.push(`${model}/web_search_read`)
        const records = isWritten(search) ? [row] : []
        return { length: records.length, records }
      },
    } as unknown as Rpc
    const feed = createStockChangeFeed(contextOf(odoo), async () => [], Date.now)
    const query = { since: '2026-11-23T20:00:00.001Z', limit: 10, offset: 0 }
    expect(await feed(query, createCall())).to.deep.equal({ changes: [], has_more: false })
    expect(asked).to.deep.equal(['product.product/web_search_read'])
  })
})
