import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { raceWithAbort } from '../../race-with-abort.ts'
import { runSharedLoad } from '../../shared-load.ts'
import { foundShape } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'
import { ALL_RECORDS, itemSpecification, type RowParts } from './item-specification.ts'

/** Each caller validates the fields that it asked for. */
const Rows = foundShape(Type.Unknown())
/** Prices are read again after two seconds at most, price rules included. */
const OFFER_AGE_MS = 1_000
const MAX_OFFERED = 1_000

/** The records of SKUs, read once for all callers at the same time: a product page needs the product, its stock, price and tax. */
export interface SkuRowLoader {
  /** Reads all records of SKUs, by id. Callers of the same SKUs share one call with the fields of all of them. */
  read(skus: readonly string[], parts: RowParts, call: Call): Promise<unknown[]>
  /** Offers the rows of a page, read with prices, to the same API request, which asks for the prices of that page next. */
  offer(rows: readonly { default_code: string }[], call: Call): void
}

interface SharedRead {
  parts: RowParts
  /** The longest time that a caller has. */
  limitMs: number
  rows: Promise<unknown[]>
}

type Sources = Pick<OdooContext, 'rpc' | 'companyDomain' | 'readOptionalFields' | 'readWarehouses' | 'nowMs'>

export function createSkuRowLoader({
  rpc,
  companyDomain,
  readOptionalFields,
  readWarehouses,
  nowMs,
}: Sources): SkuRowLoader {
  const reads = new Map<string, SharedRead>()
  const offered = new LRUCache<string, { row: object; requestId: string; at: number }>({ max: MAX_OFFERED })

  async function send(skus: readonly string[], parts: RowParts, call: Call): Promise<unknown[]> {
    const [fields, warehouses] = await Promise.all([
      parts.product || parts.stock ? readOptionalFields('product.product', call) : new Set<string>(),
      parts.stock ? readWarehouses(call) : null,
    ])
    const search = {
      domain: [['default_code', 'in', skus], ALL_RECORDS, companyDomain],
      specification: itemSpecification(parts, fields),
      order: 'id',
      context: { bin_size: true, ...warehouses?.context },
    }
    return (await rpc.search(Rows, 'product.product', search, call)).records
  }

  /** Nobody joins a read that was sent: it may hang, or be older than a change that its caller knows of. */
  async function collectAndSend(key: string, skus: readonly string[], read: SharedRead, requestId: string) {
    // Callers in this turn of the event loop can still add their fields.
    await nextTurn()
    reads.delete(key)
    return runSharedLoad(requestId, read.limitMs, (own) => send(skus, read.parts, own))
  }

  function start(key: string, skus: readonly string[], parts: RowParts, { requestId, timeoutMs }: Call): SharedRead {
    const read: SharedRead = { parts, limitMs: timeoutMs(), rows: Promise.resolve([]) }
    reads.set(key, read)
    read.rows = collectAndSend(key, skus, read, requestId)
    return read
  }

  function findOffered(skus: readonly string[], requestId: string): object[] | null {
    const now = nowMs()
    const rows = skus.flatMap((sku) => {
      const found = offered.get(sku)
      return found?.requestId === requestId && now - found.at < OFFER_AGE_MS ? [found.row] : []
    })
    return rows.length === skus.length ? rows : null
  }

  return {
    async read(skus, parts, call) {
      const isPriceOnly = !parts.product && !parts.stock
      const ready = isPriceOnly ? findOffered(skus, call.requestId) : null
      if (ready) return ready
      const sorted = [...new Set(skus)].sort()
      const key = JSON.stringify(sorted)
      const read = reads.get(key) ?? start(key, sorted, parts, call)
      read.parts = unite(read.parts, parts)
      read.limitMs = Math.max(read.limitMs, call.timeoutMs())
      return raceWithAbort(read.rows, call)
    },
    offer(rows, { requestId }) {
      const at = nowMs()
      for (const row of rows) offered.set(row.default_code, { row, requestId, at })
    },
  }
}

const unite = (a: RowParts, b: RowParts): RowParts => ({
  product: a.product || b.product,
  stock: a.stock || b.stock,
  price: a.price || b.price,
})
