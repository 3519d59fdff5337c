import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { InventoryItem, InventoryPort } from '../../../src/ports/inventory.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createChangeFeed, latestStampPerId, MAX_CHANGES } from '../../change-feed.ts'
import { changedSinceDomain } from '../client/changed-since-domain.ts'
import type { Rpc } from '../client/rpc.ts'
import { lastWrittenAtMs, nullable, TrytonId, timestampFields } from '../client/tryton-values.ts'

const Moves = responseSchema(
  Type.Array(
    Type.Object({
      id: TrytonId,
      ...timestampFields,
      'product.': Type.Object({ code: nullable(Type.String()) }),
    }),
  ),
)
const FIELDS = ['create_date', 'write_date', 'product.code']

/** A change feed of SKUs with a stock move that was created or written: goods received, sent, assigned or expected. */
export function createStockChangeFeed(
  rpc: Rpc,
  readItems: (skus: readonly string[], call: Call) => Promise<InventoryItem[]>,
  maxSkus: number,
  nowMs: () => number,
): Required<InventoryPort>['stockChanges'] {
  return createChangeFeed(nowMs, {
    async readStamps(since, call) {
      const domain = [changedSinceDomain(since, ''), ['product.salable', '=', true]]
      const params = [domain, 0, MAX_CHANGES + 1, [['id', 'ASC']], FIELDS]
      const moves = await rpc(Moves, 'stock.move.search_read', params, call)
      const stamps = moves.flatMap((move) => {
        const { code } = move['product.']
        return code ? [{ id: code, at: lastWrittenAtMs(move) }] : []
      })
      return latestStampPerId(stamps)
    },
    async loadRows(stamps, call) {
      const skus = stamps.map(({ id }) => id)
      const pages = Array.from({ length: Math.ceil(skus.length / maxSkus) }, (_, i) =>
        readItems(skus.slice(i * maxSkus, (i + 1) * maxSkus), call),
      )
      const found = new Map((await Promise.all(pages)).flat().map((item) => [item.sku, item.stock]))
      return stamps.flatMap(({ id, at }) => {
        const stock = found.get(id)
        return stock ? [{ sku: id, updated_at: new Date(at).toISOString(), stock }] : []
      })
    },
  })
}
