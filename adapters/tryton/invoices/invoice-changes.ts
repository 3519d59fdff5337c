import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createChangeFeed, MAX_CHANGES } from '../../change-feed.ts'
import { changedSinceDomain } from '../client/changed-since-domain.ts'
import { lastWrittenAtMs, TrytonId, timestampFields } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import { toInvoice } from './invoice-mapping.ts'
import { readInvoiceRecords, readInvoices } from './invoice-record-reader.ts'
import { issuedInvoicesDomain } from './issued-invoices-domain.ts'

const Rows = responseSchema(Type.Array(Type.Object({ id: TrytonId, ...timestampFields })))

/** A change feed of invoices. A payment writes its invoice too. */
export function createInvoiceChangeFeed(context: TrytonContext): Required<AccountingPort>['invoiceChanges'] {
  const { rpc, capabilities, facts } = context
  return createChangeFeed(() => facts.now().getTime(), {
    async readStamps(since, call) {
      await capabilities.require(call, 'invoices', 'orders')
      const params = [
        [...issuedInvoicesDomain(context), changedSinceDomain(since, '')],
        0,
        MAX_CHANGES + 1,
        [['id', 'ASC']],
        Object.keys(timestampFields),
      ]
      const rows = await rpc(Rows, 'account.invoice.search_read', params, call)
      return rows.map((row) => ({ id: row.id, at: lastWrittenAtMs(row) }))
    },
    async loadRows(stamps, call) {
      const domain = [['id', 'in', stamps.map(({ id }) => id)]]
      const [rows, taxes] = await Promise.all([readInvoices(context, domain, call), context.taxes.readTaxTable(call)])
      const records = await readInvoiceRecords(context, rows, call)
      return stamps.flatMap(({ id, at }) => {
        const found = records.find(({ invoice }) => invoice.id === id)
        // An invoice that changed again since then comes with its new time in the next list.
        if (!found || lastWrittenAtMs(found.invoice) !== at) return []
        const updated_at = new Date(at).toISOString()
        return { ...toInvoice(found, { ...context, taxes }), customer_id: String(found.invoice.party), updated_at }
      })
    },
  })
}
