import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { InventoryPort, Item } from '../../../src/ports/inventory.ts'
import { shape } from '../../../src/upstream/response-schema.ts'
import { changedSince, feed, latestOf, MAX_CHANGES } from '../client/change-feed.ts'
import type { Rpc } from '../client/rpc.ts'
import { dates, nullable, TrytonId, writtenAt } from '../client/tryton-values.ts'

const Moves = shape(
  Type.Array(
    Type.Object({
      id: TrytonId,
      ...dates,
      'product.': Type.Object({ code: nullable(Type.String()) }),
    }),
  ),
)
const FIELDS = ['create_date', 'write_date', 'product.code']

/** SKUs of which some move was made or written: goods that came or left, were held back, or are expected. */
export function stockChanges(
  rpc: Rpc,
  items: (skus: readonly string[], call: Call) => Promise<Item[]>,
  maxSkus: number,
  now: () => number,
): Required<InventoryPort>['stockChanges'] {
  return feed(now, {
    async changed(since, call) {
      const domain = [changedSince(since, ''), ['product.salable', '=', true]]
      const params = [domain, 0, MAX_CHANGES + 1, [['id', 'ASC']], FIELDS]
      const moves = await rpc(Moves, 'stock.move.search_read', params, call)
      const stamps = moves.flatMap((move) => {
        const { code } = move['product.']
        return code ? [{ id: code, at: writtenAt(move) }] : []
      })
      return latestOf(stamps)
    },
    async load(stamps, call) {
      const skus = stamps.map(({ id }) => id)
      const pages = Array.from({ length: Math.ceil(skus.length / maxSkus) }, (_, i) =>
        items(skus.slice(i * maxSkus, (i + 1) * maxSkus), call),
      )
      const found = new Map((await Promise.all(pages)).flat().map((item) => [item.sku, item.stock]))
      return stamps.flatMap(({ id, at }) => {
        const stock = found.get(id)
        return stock ? [{ sku: id, updated_at: new Date(at).toISOString(), stock }] : []
      })
    },
  })
}
