import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import { createChangeFeed } from '../../change-feed.ts'
import { OdooDatetime, OdooId, toEpochMs, toFirstOdooSecond } from '../client/odoo-values.ts'
import { MAX_RECORDS, readAll } from '../client/read-all.ts'
import { foundShape } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'
import { issuedInvoicesDomain } from './invoice-domains.ts'
import { toInvoiceChange } from './invoice-mapping.ts'
import { createInvoiceSearch } from './invoice-search.ts'

const Stamps = foundShape(Type.Object({ id: OdooId, write_date: OdooDatetime }))

/** A change feed of invoices. A payment writes its invoice too. */
export function createInvoiceChangeFeed(context: OdooContext): Required<AccountingPort>['invoiceChanges'] {
  const issuedDomain = issuedInvoicesDomain(context)
  const search = createInvoiceSearch(context)
  return createChangeFeed(
    context.nowMs,
    {
      async readStamps(since, call) {
        const domain = [...issuedDomain, ['write_date', '>=', toFirstOdooSecond(since)]]
        const stamps = { domain, specification: { write_date: {} } }
        const records = await readAll(context.rpc, Stamps, 'account.move', stamps, call)
        return records.map(({ id, write_date }) => ({ id, at: toEpochMs(write_date) }))
      },
      async loadRows(stamps, call) {
        const { records, sources } = await search([['id', 'in', stamps.map(({ id }) => id)]], {}, call)
        const byId = new Map(records.map((row) => [row.id, row]))
        return stamps.flatMap(({ id }) => {
          const row = byId.get(id)
          return row ? [toInvoiceChange(row, sources)] : []
        })
      },
    },
    MAX_RECORDS,
  )
}
