import { expect } from 'chai'
import { createItemReader } from '../../../adapters/tryton/catalog/item-reader.ts'
import { createWarehouseReader } from '../../../adapters/tryton/catalog/warehouse-locations.ts'
import type { Capabilities } from '../../../adapters/tryton/client/capabilities.ts'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { UpstreamError } from '../../../src/errors.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'

const capabilities = { has: async () => true, require: async () => {} } as Capabilities

describe('tryton: the stock of many SKUs', () => {
  const MOST = 1_000
  const warehouses = { warehouseIds: [4], storageIds: [3], inputIds: [2] }
  const receipt = (product: number) => {
    const planned_date = { __class__: 'date', year: 2026, month: 12, day: 1 }
    return { product, internal_quantity: 5, planned_date }
  }
  /** A shop with the SKUs `S1`, `S2` …: those in `out` are out of stock. Each SKU has one open receipt, and the first has `open` more. */
  async function stockOf(count: number, out: number[], open = 0, refused = false, services: number[] = []) {
    const asked: string[] = []
    const rpc = (async (answer: { parse(value: unknown): unknown }, method: string, [domain]: [unknown[][]]) => {
      asked.push(method === 'stock.move.search_read' ? (domain[0]![0] as string) : method)
      if (method === 'product.product.search_read')
        return answer.parse(
          Array.from({ length: count }, (_, at) => ({
            id: at + 1,
            code: `S${at + 1}`,
            active: true,
            quantity: out.includes(at + 1) ? 0 : 7,
            'template.': { id: at + 1, salable: true, type: services.includes(at + 1) ? 'service' : 'goods' },
          })),
        )
      if (refused) throw new UpstreamError('rejected', 'You are not allowed to access "Stock Move".')
      const wanted = domain[0]![2] as (number | string)[]
      const others = typeof wanted[0] === 'string' ? Array.from({ length: open }, () => receipt(1)) : []
      const own = wanted.map((one) => receipt(typeof one === 'string' ? Number(one.slice(1)) : one))
      return answer.parse([...others, ...own].slice(0, MOST))
    }) as unknown as Rpc
    const settings = { database: 'merchant', user: 'storefront', password: 'not-a-password' }
    const sources = {
      readCategoryTable: async () => ({ categories: new Map(), tags: null }),
      readPictures: async () => null,
    }
    const read = createItemReader({ rpc, settings, capabilities, ...sources, readWarehouses: async () => warehouses })
    const skus = Array.from({ length: count }, (_, at) => `S${at + 1}`)
    const items = await read(skus, { product: false, stock: true }, createCall())
    const expected = items.map(({ item }) => item.stock!.expected.length)
    return { asked: asked.toSorted(), expected, untracked: items.map(({ item }) => item.stock!.untracked) }
  }
  const products = 'product.product.search_read'

  it('is read with their receipts beside it, of which only those of what is out of stock are told', async () => {
    const { asked, expected } = await stockOf(10, [2, 10])
    expect(asked).to.deep.equal(['product.code', products])
    expect(expected).to.deep.equal([0, 1, 0, 0, 0, 0, 0, 0, 0, 1])
  })

  it('is read with the receipts after it where there are few, and without where none is out of stock', async () => {
    expect(await stockOf(9, [2])).to.deep.include({
      asked: ['product', products],
      expected: [0, 1, 0, 0, 0, 0, 0, 0, 0],
    })
    expect((await stockOf(9, [])).asked).to.deep.equal([products])
  })

  it('needs no receipts where none is out of stock, and fails where they are not open to it', async () => {
    expect((await stockOf(10, [], 0, true)).expected).to.deep.equal(Array(10).fill(0))
    expect(await failureOf(stockOf(10, [2], 0, true))).to.include({ failure: 'rejected' })
  })

  it('is not counted for services', async () => {
    expect((await stockOf(2, [2], 0, false, [2])).untracked).to.deep.equal([undefined, true])
  })

  it('loses no receipt to those of what is in stock', async () => {
    const { asked, expected } = await stockOf(10, [2], MOST)
    expect(asked).to.deep.equal(['product', 'product.code', products])
    expect(expected[1]).to.equal(1)
    expect((await stockOf(10, [], MOST)).asked).to.deep.equal(['product.code', products])
  })
})

describe('tryton: the stock of each warehouse', () => {
  it('is read for each, and named by its code', async () => {
    const quantities: Record<number, number> = { 4: 7, 5: 0 }
    const contexts: unknown[] = []
    const rpc = (async (
      answer: { parse(value: unknown): unknown },
      method: string,
      _: unknown[],
      __: unknown,
      context: { locations: number[] },
    ) => {
      if (method === 'stock.location.search_read')
        return answer.parse([
          { id: 4, name: 'Kingston', code: 'KGN', storage_location: 3, input_location: 2 },
          { id: 5, name: 'Montego Bay', code: null, storage_location: 6, input_location: 7 },
        ])
      contexts.push(context.locations)
      const quantity = context.locations.reduce((sum, id) => sum + quantities[id]!, 0)
      const template = { id: 1, salable: true, type: 'goods' }
      return answer.parse([{ id: 1, code: 'A', active: true, quantity, 'template.': template }])
    }) as unknown as Rpc
    const readStock = async (branches: boolean) => {
      const settings = { database: 'merchant', user: 'storefront', password: 'not-a-password', branches }
      const sources = {
        readCategoryTable: async () => ({ categories: new Map(), tags: null }),
        readPictures: async () => null,
        readWarehouses: createWarehouseReader(settings, rpc, () => 0),
      }
      const [read] = await createItemReader({ rpc, settings, capabilities, ...sources })(
        ['A'],
        { product: false, stock: true },
        createCall(),
      )
      return read!.item.stock
    }
    const branches = [
      { branch_id: 'KGN', name: 'Kingston', available: 7 },
      { branch_id: '5', name: 'Montego Bay', available: 0 },
    ]
    expect(await readStock(true)).to.deep.equal({ available: 7, expected: [], branches })
    expect(contexts).to.deep.equal([[4, 5], [4], [5]])
    expect(await readStock(false)).to.deep.equal({ available: 7, expected: [] })
    expect(contexts).to.have.length(4)
  })
})
