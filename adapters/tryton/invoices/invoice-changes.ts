import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { AccountingContext } from '../accounting-context.ts'
import { changedSinceDomain, createChangeFeed, MAX_CHANGES } from '../client/change-feed.ts'
import { lastWrittenAtMs, TrytonId, timestampFields } from '../client/tryton-values.ts'
import { toInvoice } from './invoice-mapping.ts'
import { issuedInvoicesDomain } from './invoice-reader.ts'
import { readInvoiceRecords, readInvoices } from './invoice-records.ts'

const Rows = responseSchema(Type.Array(Type.Object({ id: TrytonId, ...timestampFields })))

/** A payment writes its invoice too. */
export function createInvoiceChangeFeed(ledger: AccountingContext): Required<AccountingPort>['invoiceChanges'] {
  const { rpc, abilities, facts } = ledger
  return createChangeFeed(() => facts.now().getTime(), {
    async changed(since, call) {
      await abilities.need(call, 'invoices', 'orders')
      const params = [
        [...issuedInvoicesDomain(ledger), changedSinceDomain(since, '')],
        0,
        MAX_CHANGES + 1,
        [['id', 'ASC']],
        Object.keys(timestampFields),
      ]
      const rows = await rpc(Rows, 'account.invoice.search_read', params, call)
      return rows.map((row) => ({ id: row.id, at: lastWrittenAtMs(row) }))
    },
    async load(stamps, call) {
      const domain = [['id', 'in', stamps.map(({ id }) => id)]]
      const [rows, taxes] = await Promise.all([readInvoices(ledger, domain, call), ledger.taxes.table(call)])
      const all = await readInvoiceRecords(ledger, rows, call)
      return stamps.flatMap(({ id, at }) => {
        const records = all.find(({ invoice }) => invoice.id === id)
        // What changed again since the list was made comes by its new time, with the next list.
        if (!records || lastWrittenAtMs(records.invoice) !== at) return []
        const updated_at = new Date(at).toISOString()
        return { ...toInvoice(records, { ...ledger, taxes }), customer_id: String(records.invoice.party), updated_at }
      })
    },
  })
}
