import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { runSharedLoad, SHARED_LOAD_TIMEOUT_MS, waitWithAbort } from '../../shared-load.ts'
import { foundShape } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'
import { ALL_RECORDS, itemSpecification, type RowParts } from './product-schemas.ts'

/** Each caller validates the fields that it asked for. */
const Rows = foundShape(Type.Unknown())
/** Prices are read again after two seconds at most, price rules included. */
const OFFER_AGE_MS = 1_000
const MAX_OFFERED = 1_000

/** The records of SKUs, read for all who ask at the same time: a page of a product needs it, its stock, price and tax. */
export interface SkuRows {
  /** Reads all records of SKUs, by id. Callers of the same SKUs share one call with the fields of all of them. */
  read(skus: readonly string[], parts: RowParts, call: Call): Promise<unknown[]>
  /** Offers the rows of a page, read with prices, to whoever asks for the prices of that page next. */
  offer(rows: readonly { default_code: string }[]): void
}

interface SharedRead {
  parts: RowParts
  isSent: boolean
  rows: Promise<unknown[]>
}

type Sources = Pick<OdooContext, 'rpc' | 'companyDomain' | 'readOptionalFields' | 'readWarehouses' | 'nowMs'>

export function createSkuRows({ rpc, companyDomain, readOptionalFields, readWarehouses, nowMs }: Sources): SkuRows {
  const reads = new Map<string, SharedRead>()
  const offered = new LRUCache<string, { row: object; at: number }>({ max: MAX_OFFERED })

  async function readSent(skus: readonly string[], read: SharedRead, call: Call): Promise<unknown[]> {
    // Whoever asks in this turn of the event loop still adds their fields.
    await nextTurn()
    read.isSent = true
    const { parts } = read
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

  function start(key: string, skus: readonly string[], parts: RowParts, requestId: string): SharedRead {
    const read: SharedRead = { parts, isSent: false, rows: Promise.resolve([]) }
    read.rows = runSharedLoad(requestId, SHARED_LOAD_TIMEOUT_MS, (own) => readSent(skus, read, own)).finally(() => {
      if (reads.get(key) === read) reads.delete(key)
    })
    reads.set(key, read)
    return read
  }

  function findOffered(skus: readonly string[]): object[] | null {
    const now = nowMs()
    const rows = skus.flatMap((sku) => {
      const found = offered.get(sku)
      return found && now - found.at < OFFER_AGE_MS ? [found.row] : []
    })
    return rows.length === skus.length ? rows : null
  }

  return {
    async read(skus, parts, call) {
      const isPriceOnly = !parts.product && !parts.stock
      const ready = isPriceOnly ? findOffered(skus) : null
      if (ready) return ready
      const sorted = [...new Set(skus)].sort()
      const key = JSON.stringify(sorted)
      const open = reads.get(key)
      const read =
        open && (!open.isSent || covers(open.parts, parts)) ? open : start(key, sorted, parts, call.requestId)
      if (!read.isSent) read.parts = unite(read.parts, parts)
      return waitWithAbort(read.rows, call)
    },
    offer(rows) {
      const at = nowMs()
      for (const row of rows) offered.set(row.default_code, { row, at })
    },
  }
}

const unite = (a: RowParts, b: RowParts): RowParts => ({
  product: a.product || b.product,
  stock: a.stock || b.stock,
  price: a.price || b.price,
})

const covers = (all: RowParts, some: RowParts) =>
  (all.product || !some.product) && (all.stock || !some.stock) && (all.price || !some.price)
