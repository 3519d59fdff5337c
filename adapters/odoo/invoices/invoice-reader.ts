import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { InvoiceQuery } from '../../../src/ports/invoice.ts'
import { parseRecordId } from '../client/odoo-values.ts'
import type { OdooContext } from '../context.ts'
import { ownInvoicesDomain } from './invoice-domains.ts'
import { toInvoice } from './invoice-mapping.ts'
import { createInvoiceSearch } from './invoice-search.ts'

type InvoicePorts = Required<Pick<AccountingPort, 'invoice' | 'invoices'>>

const UNPAID = ['not_paid', 'blocked']

/** Reads invoices and credit notes that were posted, also those that were cancelled since. */
export function createInvoiceReader(context: OdooContext): InvoicePorts {
  const search = createInvoiceSearch(context)
  return {
    async invoice(customerId, invoiceId, call) {
      const [customer, id] = [parseRecordId(customerId), parseRecordId(invoiceId)]
      if (customer === null || id === null) return null
      const { records, sources } = await search([['id', '=', id], ...ownInvoicesDomain(customer)], { limit: 1 }, call)
      return records[0] ? toInvoice(records[0], sources, customer) : null
    },
    async invoices(customerId, query, call) {
      const customer = parseRecordId(customerId)
      const filters = toFilters(query)
      if (customer === null || filters === null) return { invoices: [], total: 0, has_more: false }
      const { limit, offset } = query
      const domain = [...ownInvoicesDomain(customer), ...filters]
      const { records, length, sources } = await search(domain, { limit, offset }, call)
      return {
        invoices: records.map((row) => toInvoice(row, sources, customer)),
        total: length,
        has_more: offset + records.length < length,
      }
    },
  }
}

/** Returns the conditions of a query, or `null` when nothing can match. */
function toFilters({ status, order_id, today }: InvoiceQuery): unknown[] | null {
  const order = order_id === undefined ? undefined : parseRecordId(order_id)
  if (order === null) return null
  const ofOrder = order === undefined ? [] : [['invoice_line_ids.sale_line_ids.order_id', '=', order]]
  return [...ofOrder, ...toStatusDomain(status, today)]
}

function toStatusDomain(status: InvoiceQuery['status'], today: string): unknown[] {
  if (status === undefined) return []
  if (status === 'VOID') return [['state', '=', 'cancel']]
  const posted = ['state', '=', 'posted']
  const due = ['invoice_date_due', status === 'OVERDUE' ? '<' : '>=', today]
  if (status === 'OVERDUE') return [posted, ['payment_state', 'in', [...UNPAID, 'partial']], due]
  if (status === 'OPEN') return [posted, ['payment_state', 'in', UNPAID], due]
  if (status === 'PARTIALLY_PAID') return [posted, ['payment_state', '=', 'partial'], due]
  return [posted, ['payment_state', 'not in', [...UNPAID, 'partial']]]
}
