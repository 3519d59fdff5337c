import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import { createChangeFeed } from '../../change-feed.ts'
import { OdooDatetime, OdooId, toFirstOdooSecond } from '../client/odoo-values.ts'
import { MAX_RECORDS, readAll } from '../client/read-all.ts'
import { foundShape } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'
import { toUpdatedAt } from './order-mapping.ts'
import type { OrderReader } from './order-reader.ts'
import { placedDomain } from './placed-domain.ts'

const Written = Type.Array(Type.Object({ id: OdooId, write_date: OdooDatetime }))
const Stamps = foundShape(
  Type.Object({ id: OdooId, write_date: OdooDatetime, picking_ids: Written, invoice_ids: Written }),
)
const specification = {
  write_date: {},
  picking_ids: { fields: { write_date: {} } },
  invoice_ids: { fields: { write_date: {} } },
}

/** The change feed of orders of the shop: an order changes when it, a delivery or an invoice of it is written. */
export function createOrderChangeFeed(
  { rpc, nowMs, settings }: OdooContext,
  orders: OrderReader,
): Required<AccountingPort>['orderChanges'] {
  return createChangeFeed(
    nowMs,
    {
      async readStamps(since, call) {
        const from = toFirstOdooSecond(since)
        const domain = [
          ...placedDomain,
          ['company_id', '=', settings.company ?? 1],
          '|',
          '|',
          ['write_date', '>=', from],
          ['picking_ids.write_date', '>=', from],
          ['invoice_ids.write_date', '>=', from],
        ]
        const records = await readAll(rpc, Stamps, 'sale.order', { domain, specification }, call)
        return records.map((row) => ({ id: row.id, at: Date.parse(toUpdatedAt(row)) }))
      },
      async loadRows(stamps, call) {
        const rows = new Map(
          (
            await orders.readByIds(
              stamps.map(({ id }) => id),
              call,
            )
          ).map((row) => [row.id, row]),
        )
        const found = await orders.toOrders(
          stamps.flatMap(({ id }) => rows.get(id) ?? []),
          call,
        )
        // A duplicate that staff made is not an order of the shop.
        return found.filter(({ reference }) => reference !== null)
      },
    },
    MAX_RECORDS,
  )
}
