import { expect } from 'chai'
import type { Capabilities } from '../../../adapters/tryton/client/capabilities.ts'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { createPriceChangeFeed } from '../../../adapters/tryton/pricing/price-changes.ts'
import { createCall } from '../../support/create-call.ts'

const capabilities = { has: async () => true, require: async () => {} } as Capabilities

describe('tryton: the feed of prices', () => {
  const written = {
    create_date: { year: 2026, month: 11, day: 21, hour: 9, minute: 0, second: 0, microsecond: 0 },
  }
  const stamp = { ...written, write_date: null }
  const since = { since: '2026-11-21T00:00:00.000Z', limit: 500 }

  /** A shop with this many products, in which a price list, or lines of one, were written. */
  function shop(count: number, lists: object[], lines: { product: number | null; category: number | null }[]) {
    const asked: string[] = []
    const products = Array.from({ length: count }, (_, at) => ({ id: at + 1, code: `S${at + 1}` }))
    const rpc = (async (answer: { parse(value: unknown): unknown }, method: string, params: unknown[]) => {
      const domain = params[0] as [string, string, number | number[]][]
      const [, , after] = domain.find(([field, sign]) => field === 'id' && sign === '>')!
      const rows = () => {
        if (method === 'product.price_list.search_read')
          return lists.map((row, at) => ({ id: at + 1, ...stamp, ...row }))
        if (method === 'product.price_list.line.search_read')
          return lines.map((row, at) => ({ id: at + 1, ...stamp, ...row }))
        // Matched by product or category, not by time.
        if (domain.flat(9).includes('template.write_date' as never)) return []
        asked.push(method)
        const ids = domain.find(([field, sign]) => field === 'id' && sign === 'in')?.[2] as number[] | undefined
        const wanted = ids && new Set(ids)
        return wanted ? products.filter(({ id }) => wanted.has(id)) : products
      }
      return answer.parse(
        rows()
          .filter(({ id }) => id > (after as number))
          .slice(0, params[2] as number),
      )
    }) as Rpc
    const feed = createPriceChangeFeed(rpc, capabilities, () => Date.parse('2026-11-21T10:00:00Z'))
    return { asked, page: async (offset: number) => feed({ ...since, offset }, createCall()) }
  }

  it('reads the products of a thousand changed lines in one call', async () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => ({ product: at + 1, category: null }))
    const { asked, page } = shop(2_000, [], lines)
    expect((await page(0)).changes).to.have.length(500)
    expect((await page(500)).has_more).to.equal(false)
    expect(asked).to.have.length(1)
  })

  it('reports every product of a changed list, however many there are', async () => {
    const { page } = shop(60_001, [{}], [])
    expect((await page(0)).changes.map(({ sku }) => sku)).to.have.length(500)
    expect((await page(60_000)).changes).to.have.length(1)
  })

  it('reports the products of a category, and of a line for all', async () => {
    for (const category of [5, null])
      expect((await shop(3, [], [{ product: null, category }]).page(0)).changes).to.have.length(3)
  })
})
