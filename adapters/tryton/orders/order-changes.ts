import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import { shape } from '../../../src/upstream/response-schema.ts'
import { changedSince, feed, latestOf, MAX_CHANGES, type Stamp } from '../client/change-feed.ts'
import type { Ledger } from '../accounting-context.ts'
import { placedHere, readSales, withRecords } from './order-records.ts'
import { isOrder, type Orders } from './order-reader.ts'
import { dates, nullable, TrytonId, writtenAt } from '../client/tryton-values.ts'

const Sales = shape(Type.Array(Type.Object({ id: TrytonId, ...dates })))
const Moves = shape(Type.Array(Type.Object({ sale: nullable(TrytonId), ...dates })))
const Invoices = shape(Type.Array(Type.Object({ sales: Type.Array(TrytonId), ...dates })))
const DATES = Object.keys(dates)

/** A sale changes with itself, its goods and its invoices: those do not always touch it. */
export function orderChanges(
  { rpc, abilities, facts, ...ledger }: Ledger,
  { viewed }: Orders,
): Required<AccountingPort>['orderChanges'] {
  async function changed(since: number, call: Call): Promise<Stamp<number>[]> {
    await abilities.need(call, 'orders', 'webOrders')
    const anywhere = changedSince(since, '', 'lines.moves.', 'invoices.')
    const params = [[...placedHere(ledger), isOrder, anywhere], 0, MAX_CHANGES + 1, [['id', 'ASC']], DATES]
    const sales = await rpc(Sales, 'sale.sale.search_read', params, call)
    const ids = sales.map(({ id }) => id)
    const own = new Set(ids)
    const rowsOf = (by: string) => [[[by, 'in', ids], changedSince(since, '')], 0, null, null, [by, ...DATES]]
    const [moves, invoices] = await Promise.all([
      rpc(Moves, 'stock.move.search_read', rowsOf('sale'), call),
      rpc(Invoices, 'account.invoice.search_read', rowsOf('sales'), call),
    ])
    const stamps = [
      ...sales.map((row) => ({ id: row.id, at: writtenAt(row) })),
      ...moves.flatMap((row) => (row.sale === null ? [] : [{ id: row.sale, at: writtenAt(row) }])),
      ...invoices.flatMap((row) => row.sales.map((id) => ({ id, at: writtenAt(row) }))),
    ]
    return latestOf(stamps.filter(({ id }) => own.has(id)))
  }

  const whole = { rpc, abilities, facts, ...ledger }
  return feed(() => facts.now().getTime(), {
    changed,
    async load(stamps, call) {
      const ids = stamps.map(({ id }) => id)
      const sales = await readSales(whole, [['id', 'in', ids]], call)
      const rows = await viewed(await withRecords(whole, sales, call), call)
      const byId = new Map(rows.map((row) => [row.order_id, row]))
      // What changed again since the list was made comes by its new time, with the next list.
      return stamps.flatMap(({ id, at }) => {
        const row = byId.get(String(id))
        return row && Date.parse(row.updated_at) === at ? [row] : []
      })
    },
  })
}
