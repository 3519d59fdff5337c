import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { InventoryItem, InventoryPort, ItemParts } from '../../../src/ports/inventory.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { type ChangeStamp, createChangeFeed, latestStampPerId } from '../../change-feed.ts'
import { emptyOr, OdooDatetime, OdooId, toEpochMs, toFirstOdooSecond } from '../client/odoo-values.ts'
import { MAX_RECORDS, readAll } from '../client/read-all.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'

const Groups = responseSchema(
  Type.Array(
    Type.Object({
      product_id: emptyOr(Type.Tuple([OdooId, Type.String()])),
      'write_date:max': emptyOr(OdooDatetime),
    }),
  ),
)
const Codes = foundShape(Type.Object({ id: OdooId, default_code: Type.String(), write_date: OdooDatetime }))
const specification = { default_code: {}, write_date: {} }
const STOCK_ONLY: ItemParts = { product: false, stock: true }
const PAGE_SIZE = 200

/**
 * A change feed of SKUs with a quantity or a stock move that was written. Quantities hold what is on hand and reserved;
 * an emptied one is deleted, which only its move shows. Products hold the policy: whether they are counted, and whether
 * they are sold when out of stock.
 */
export function createStockChangeFeed(
  { rpc, companyDomain, productWrites }: Pick<OdooContext, 'rpc' | 'companyDomain' | 'productWrites'>,
  readItems: (skus: readonly string[], parts: ItemParts, call: Call) => Promise<InventoryItem[]>,
  nowMs: () => number,
): Required<InventoryPort>['stockChanges'] {
  const sold = [['default_code', '!=', false], ['sale_ok', '=', true], companyDomain]

  async function readStamps(since: number, call: Call): Promise<ChangeStamp<string>[]> {
    // Checks all kinds of records in one call, which is the only call of a feed at rest.
    if (!(await productWrites.mayHaveStockChanges(since, call))) return []
    const written = [...sold, ['write_date', '>=', toFirstOdooSecond(since)]]
    const [quantities, moves, products] = await Promise.all([
      readLatestWrites(rpc, 'stock.quant', [['location_id.usage', '=', 'internal']], since, call),
      readLatestWrites(rpc, 'stock.move', [], since, call),
      readAll(rpc, Codes, 'product.product', { domain: written, specification }, call),
    ])
    const own = products.map(({ default_code, write_date }) => ({ id: default_code, at: toEpochMs(write_date) }))
    const stamps = latestStampPerId([...quantities, ...moves])
    if (stamps.length === 0) return latestStampPerId(own)
    const domain = [...sold, ['id', 'in', stamps.map(({ id }) => id)]]
    const records = await readAll(rpc, Codes, 'product.product', { domain, specification }, call)
    const codes = new Map(records.map(({ id, default_code }) => [id, default_code]))
    return latestStampPerId([
      ...own,
      ...stamps.flatMap(({ id, at }) => {
        const code = codes.get(id)
        return code === undefined ? [] : [{ id: code, at }]
      }),
    ])
  }

  return createChangeFeed(
    nowMs,
    {
      readStamps,
      async loadRows(stamps, call) {
        const skus = stamps.map(({ id }) => id)
        const pages = Array.from({ length: Math.ceil(skus.length / PAGE_SIZE) }, (_, i) =>
          readItems(skus.slice(i * PAGE_SIZE, (i + 1) * PAGE_SIZE), STOCK_ONLY, call),
        )
        const stocks = new Map((await Promise.all(pages)).flat().map((item) => [item.sku, item.stock]))
        return stamps.flatMap(({ id, at }) => {
          const stock = stocks.get(id)
          return stock ? [{ sku: id, updated_at: new Date(at).toISOString(), stock }] : []
        })
      },
    },
    MAX_RECORDS,
  )
}

/** Returns the latest write of each product in a model that links to products. */
async function readLatestWrites(
  rpc: Rpc,
  model: string,
  domain: unknown[],
  since: number,
  call: Call,
): Promise<ChangeStamp<number>[]> {
  const args = {
    domain: [...domain, ['write_date', '>=', toFirstOdooSecond(since)]],
    groupby: ['product_id'],
    aggregates: ['write_date:max'],
  }
  const groups = await rpc.call(Groups, `${model}/formatted_read_group`, args, call)
  return groups.flatMap(({ product_id, 'write_date:max': at }) =>
    product_id && at ? [{ id: product_id[0], at: toEpochMs(at) }] : [],
  )
}
