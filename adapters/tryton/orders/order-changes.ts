import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { AccountingContext } from '../accounting-context.ts'
import {
  type ChangeStamp,
  changedSinceDomain,
  createChangeFeed,
  latestStampPerId,
  MAX_CHANGES,
} from '../client/change-feed.ts'
import { lastWrittenAtMs, nullable, TrytonId, timestampFields } from '../client/tryton-values.ts'
import { type OrderReader, placedSalesDomain } from './order-reader.ts'
import { readOrderRecords, readSales, storefrontSalesDomain } from './order-records.ts'

const Sales = responseSchema(Type.Array(Type.Object({ id: TrytonId, ...timestampFields })))
const Moves = responseSchema(Type.Array(Type.Object({ sale: nullable(TrytonId), ...timestampFields })))
const Invoices = responseSchema(Type.Array(Type.Object({ sales: Type.Array(TrytonId), ...timestampFields })))
const DATES = Object.keys(timestampFields)

/** A sale changes with itself, its goods and its invoices: those do not always touch it. */
export function createOrderChangeFeed(
  { rpc, abilities, facts, ...ledger }: AccountingContext,
  { viewed }: OrderReader,
): Required<AccountingPort>['orderChanges'] {
  async function changed(since: number, call: Call): Promise<ChangeStamp<number>[]> {
    await abilities.need(call, 'orders', 'webOrders')
    const anywhere = changedSinceDomain(since, '', 'lines.moves.', 'invoices.')
    const params = [
      [...storefrontSalesDomain(ledger), placedSalesDomain, anywhere],
      0,
      MAX_CHANGES + 1,
      [['id', 'ASC']],
      DATES,
    ]
    const sales = await rpc(Sales, 'sale.sale.search_read', params, call)
    const ids = sales.map(({ id }) => id)
    const own = new Set(ids)
    const rowsOf = (by: string) => [[[by, 'in', ids], changedSinceDomain(since, '')], 0, null, null, [by, ...DATES]]
    const [moves, invoices] = await Promise.all([
      rpc(Moves, 'stock.move.search_read', rowsOf('sale'), call),
      rpc(Invoices, 'account.invoice.search_read', rowsOf('sales'), call),
    ])
    const stamps = [
      ...sales.map((row) => ({ id: row.id, at: lastWrittenAtMs(row) })),
      ...moves.flatMap((row) => (row.sale === null ? [] : [{ id: row.sale, at: lastWrittenAtMs(row) }])),
      ...invoices.flatMap((row) => row.sales.map((id) => ({ id, at: lastWrittenAtMs(row) }))),
    ]
    return latestStampPerId(stamps.filter(({ id }) => own.has(id)))
  }

  const whole = { rpc, abilities, facts, ...ledger }
  return createChangeFeed(() => facts.now().getTime(), {
    changed,
    async load(stamps, call) {
      const ids = stamps.map(({ id }) => id)
      const sales = await readSales(whole, [['id', 'in', ids]], call)
      const rows = await viewed(await readOrderRecords(whole, sales, call), call)
      const byId = new Map(rows.map((row) => [row.order_id, row]))
      // What changed again since the list was made comes by its new time, with the next list.
      return stamps.flatMap(({ id, at }) => {
        const row = byId.get(String(id))
        return row && Date.parse(row.updated_at) === at ? [row] : []
      })
    },
  })
}
