import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { type ChangeStamp, createChangeFeed, latestStampPerId, MAX_CHANGES } from '../../change-feed.ts'
import { changedSinceDomain } from '../client/changed-since-domain.ts'
import { lastWrittenAtMs, nullable, TrytonId, timestampFields } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import type { OrderReader } from './order-reader.ts'
import { readOrderRecords, readSales, storefrontSalesDomain } from './order-record-reader.ts'
import { placedSalesDomain } from './placed-sales.ts'

const Sales = responseSchema(Type.Array(Type.Object({ id: TrytonId, ...timestampFields })))
const Moves = responseSchema(Type.Array(Type.Object({ sale: nullable(TrytonId), ...timestampFields })))
const Invoices = responseSchema(Type.Array(Type.Object({ sales: Type.Array(TrytonId), ...timestampFields })))
const DATES = Object.keys(timestampFields)

/**
 * A change feed of orders: of sales, their moves and their invoices, which do not always touch the sale. A sale appears
 * once Tryton has made its shipment and invoice: until then the checkout that confirmed it may not have finished, and an
 * order that the feed reports is not sent again.
 */
export function createOrderChangeFeed(
  context: TrytonContext,
  { toOrders }: OrderReader,
): Required<AccountingPort>['orderChanges'] {
  const { rpc, capabilities, facts } = context

  async function readStamps(since: number, call: Call): Promise<ChangeStamp<number>[]> {
    await capabilities.require(call, 'orders', 'webOrders')
    const changedDomain = changedSinceDomain(since, '', 'lines.moves.', 'invoices.')
    const params = [
      [...storefrontSalesDomain(context), placedSalesDomain, changedDomain],
      0,
      MAX_CHANGES + 1,
      [['id', 'ASC']],
      DATES,
    ]
    const sales = await rpc(Sales, 'sale.sale.search_read', params, call)
    const ids = sales.map(({ id }) => id)
    const saleIds = new Set(ids)
    const changedParams = (by: string) => [
      [[by, 'in', ids], changedSinceDomain(since, '')],
      0,
      null,
      null,
      [by, ...DATES],
    ]
    const [moves, invoices] = await Promise.all([
      rpc(Moves, 'stock.move.search_read', changedParams('sale'), call),
      rpc(Invoices, 'account.invoice.search_read', changedParams('sales'), call),
    ])
    const stamps = [
      ...sales.map((row) => ({ id: row.id, at: lastWrittenAtMs(row) })),
      ...moves.flatMap((row) => (row.sale === null ? [] : [{ id: row.sale, at: lastWrittenAtMs(row) }])),
      ...invoices.flatMap((row) => row.sales.map((id) => ({ id, at: lastWrittenAtMs(row) }))),
    ]
    return latestStampPerId(stamps.filter(({ id }) => saleIds.has(id)))
  }

  return createChangeFeed(() => facts.now().getTime(), {
    readStamps,
    async loadRows(stamps, call) {
      const ids = stamps.map(({ id }) => id)
      const sales = (await readSales(context, [['id', 'in', ids]], call)).filter(({ state }) => state !== 'confirmed')
      const rows = await toOrders(await readOrderRecords(context, sales, call), call)
      const byId = new Map(rows.map((row) => [row.order_id, row]))
      // An order that changed again since then comes with its new time in the next list.
      return stamps.flatMap(({ id, at }) => {
        const row = byId.get(String(id))
        return row && Date.parse(row.updated_at) === at ? [row] : []
      })
    },
  })
}
