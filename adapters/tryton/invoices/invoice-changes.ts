import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import { shape } from '../../../src/upstream/response-schema.ts'
import { changedSince, feed, MAX_CHANGES } from '../client/change-feed.ts'
import { readInvoices, withDetails } from './invoice-records.ts'
import { invoiceOf } from './invoice-mapping.ts'
import { issued } from './invoice-reader.ts'
import type { Ledger } from '../accounting-context.ts'
import { dates, TrytonId, writtenAt } from '../client/tryton-values.ts'

const Rows = shape(Type.Array(Type.Object({ id: TrytonId, ...dates })))

/** A payment writes its invoice too. */
export function invoiceChanges(ledger: Ledger): Required<AccountingPort>['invoiceChanges'] {
  const { rpc, abilities, facts } = ledger
  return feed(() => facts.now().getTime(), {
    async changed(since, call) {
      await abilities.need(call, 'invoices', 'orders')
      const params = [
        [...issued(ledger), changedSince(since, '')],
        0,
        MAX_CHANGES + 1,
        [['id', 'ASC']],
        Object.keys(dates),
      ]
      const rows = await rpc(Rows, 'account.invoice.search_read', params, call)
      return rows.map((row) => ({ id: row.id, at: writtenAt(row) }))
    },
    async load(stamps, call) {
      const domain = [['id', 'in', stamps.map(({ id }) => id)]]
      const [rows, taxes] = await Promise.all([readInvoices(ledger, domain, call), ledger.taxes.table(call)])
      const all = await withDetails(ledger, rows, call)
      return stamps.flatMap(({ id, at }) => {
        const records = all.find(({ invoice }) => invoice.id === id)
        // What changed again since the list was made comes by its new time, with the next list.
        if (!records || writtenAt(records.invoice) !== at) return []
        const updated_at = new Date(at).toISOString()
        return { ...invoiceOf(records, { ...ledger, taxes }), customer_id: String(records.invoice.party), updated_at }
      })
    },
  })
}
