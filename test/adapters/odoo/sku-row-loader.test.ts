import { expect } from 'chai'
import { createSkuRowLoader } from '../../../adapters/odoo/catalog/sku-row-loader.ts'
import type { Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { createCall } from '../../support/create-call.ts'

const ITEM = { product: true, stock: false, price: false }
const PRICE = { product: false, stock: false, price: true }
const call = (requestId: string) => ({ ...createCall(), requestId })

/** Rows of an Odoo whose searches return these in order. */
function rowsOf(...replies: (() => Promise<unknown[]>)[]) {
  const sent: unknown[] = []
  const search = async (_shape: unknown, _model: string, { specification }: { specification: object }) => {
    sent.push(Object.keys(specification))
    return { length: 0, records: await replies[sent.length - 1]!() }
  }
  const rows = createSkuRowLoader({
    rpc: { search } as unknown as Rpc,
    companyDomain: [],
    readOptionalFields: async () => new Set<string>(),
    readWarehouses: () => Promise.reject(new Error('no stock is read')),
    nowMs: () => 0,
  } as unknown as Parameters<typeof createSkuRowLoader>[0])
  return { rows, sent }
}

describe('odoo: rows of SKUs', () => {
  it('are read once for all who ask in the same turn', async () => {
    const { rows, sent } = rowsOf(async () => ['row'])
    const both = Promise.all([rows.read(['A'], ITEM, call('1')), rows.read(['A'], PRICE, call('1'))])
    expect(await both).to.deep.equal([['row'], ['row']])
    expect(sent).to.have.length(1)
  })

  it('are read again while an earlier read hangs', async () => {
    const { rows, sent } = rowsOf(
      () => new Promise(() => {}),
      async () => ['row'],
    )
    rows.read(['A'], ITEM, call('1')).catch(() => {})
    while (sent.length === 0) await new Promise(setImmediate)
    expect(await rows.read(['A'], ITEM, call('2'))).to.deep.equal(['row'])
  })

  it('of a page are offered to the request that read it, and to no other', async () => {
    const row = { default_code: 'A', price: 10 }
    const { rows, sent } = rowsOf(async () => ['newer'])
    rows.offer([row], call('1'))
    expect(await rows.read(['A'], PRICE, call('1'))).to.deep.equal([row])
    expect(sent).to.deep.equal([])
    expect(await rows.read(['A'], PRICE, call('2'))).to.deep.equal(['newer'])
  })
})
