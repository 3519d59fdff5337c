import { Type } from 'typebox'
import type { Call } from '../../src/ports/call.ts'
import type { PricingPort } from '../../src/ports/pricing.ts'
import { shape } from '../../src/upstream/shape.ts'
import type { Abilities } from './abilities.ts'
import { changedProducts } from './changes.ts'
import { changedSince, feed, latestOf, MAX_CHANGES, type Stamp } from './feed.ts'
import type { Rpc } from './rpc.ts'
import { sold } from './search.ts'
import { dates, nullable, TrytonId, writtenAt } from './values.ts'

const Lists = shape(Type.Array(Type.Object({ id: TrytonId, ...dates })))
const Lines = shape(
  Type.Array(Type.Object({ id: TrytonId, product: nullable(TrytonId), category: nullable(TrytonId), ...dates })),
)
const Codes = shape(Type.Array(Type.Object({ id: TrytonId, code: Type.String() })))
const DATES = Object.keys(dates)

/** What a price list, or a line of one, may have priced anew. */
interface Touched {
  domain: unknown[]
  at: number
}

/** SKUs whose product was written, and those that a changed price list, or line of one, is for: it may be all of them. */
export function priceChanges(rpc: Rpc, abilities: Abilities, now: () => number): Required<PricingPort>['priceChanges'] {
  async function touched(since: number, call: Call): Promise<Touched[]> {
    if (!(await abilities.has('priceLists', call))) return []
    const params = (fields: string[]) => [[changedSince(since, '')], 0, MAX_CHANGES, [['id', 'ASC']], fields]
    const [lists, lines] = await Promise.all([
      rpc(Lists, 'product.price_list.search_read', params(DATES), call),
      rpc(Lines, 'product.price_list.line.search_read', params(['product', 'category', ...DATES]), call),
    ])
    const all = lists.map((row) => ({ domain: [], at: writtenAt(row) }))
    const some = lines.map(({ product, category, ...row }) => {
      const ofProduct = product === null ? [] : [['id', '=', product]]
      const ofCategory = category === null ? [] : [['categories', 'child_of', [category], 'parent']]
      return { domain: [...ofProduct, ...ofCategory], at: writtenAt(row) }
    })
    return [...all, ...some]
  }

  async function stamps({ domain, at }: Touched, call: Call): Promise<Stamp<string>[]> {
    const params = [[...sold, ...domain], 0, MAX_CHANGES, [['id', 'ASC']], ['code']]
    const rows = await rpc(Codes, 'product.product.search_read', params, call)
    return rows.map(({ code }) => ({ id: code, at }))
  }

  return feed(now, {
    async changed(since, call) {
      const [products, lists] = await Promise.all([changedProducts(rpc, since, [], call), touched(since, call)])
      // Of those that are for the same products the latest is enough.
      const latestFirst = lists.toSorted((a, b) => b.at - a.at)
      const distinct = [...new Map(latestFirst.toReversed().map((one) => [JSON.stringify(one.domain), one])).values()]
      const others: Stamp<string>[] = []
      for (const one of distinct) others.push(...(await stamps(one, call)))
      return latestOf([...products, ...others])
    },
    load: async (page) => page.map(({ id, at }) => ({ sku: id, updated_at: new Date(at).toISOString() })),
  })
}
