import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { Invoice, InvoiceQuery } from '../../../src/ports/invoice.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { parseRecordId } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import { toInvoice } from './invoice-mapping.ts'
import { readInvoiceRecords, readInvoices } from './invoice-record-reader.ts'
import { issuedInvoicesDomain } from './issued-invoices-domain.ts'

const Count = responseSchema(Type.Integer())
const NEWEST_FIRST = [
  ['invoice_date', 'DESC'],
  ['id', 'DESC'],
]
/** The maximum number of open invoices of one customer that are searched for a status. */
const MAX_OPEN_INVOICES = 1_000

type InvoiceReader = Required<Pick<AccountingPort, 'invoice' | 'invoices'>>

export function createInvoiceReader(context: TrytonContext): InvoiceReader {
  const { rpc, capabilities } = context

  async function readPage(domain: unknown[], call: Call, offset = 0, limit: number | null = null): Promise<Invoice[]> {
    const [rows, taxes] = await Promise.all([
      readInvoices(context, domain, call, { offset, limit, order: NEWEST_FIRST }),
      context.taxes.readTaxTable(call),
    ])
    return (await readInvoiceRecords(context, rows, call)).map((records) => toInvoice(records, { ...context, taxes }))
  }

  return {
    async invoice(customerId, invoiceId, call) {
      await capabilities.require(call, 'invoices', 'orders')
      const [party, id] = [parseRecordId(customerId), parseRecordId(invoiceId)]
      if (party === null || id === null) return null
      const [matching] = await readPage(
        [...issuedInvoicesDomain(context), ['party', '=', party], ['id', '=', id]],
        call,
      )
      return matching ?? null
    },
    async invoices(customerId, query, call) {
      await capabilities.require(call, 'invoices', 'orders')
      const { limit, offset, status, order_id } = query
      const party = parseRecordId(customerId)
      const order = order_id === undefined ? null : parseRecordId(order_id)
      if (party === null || (order_id !== undefined && order === null))
        return { invoices: [], total: 0, has_more: false }
      const domain = [
        ...issuedInvoicesDomain(context),
        ['party', '=', party],
        ...(order === null ? [] : [['sales', 'in', [order]]]),
      ]
      const state = status === undefined ? null : stateByStatus[status]
      if (state !== 'posted') {
        const filtered = state === null ? domain : [...domain, ['state', '=', state]]
        const [invoices, total] = await Promise.all([
          readPage(filtered, call, offset, limit),
          rpc(Count, 'account.invoice.search_count', [filtered], call),
        ])
        return { invoices, total, has_more: offset + invoices.length < total }
      }
      // Tryton does not store the paid part and the due date with an invoice.
      const open = await readPage([...domain, ['state', '=', 'posted']], call, 0, MAX_OPEN_INVOICES)
      const matching = open.filter((invoice) => matchesStatus(invoice, query))
      return {
        invoices: matching.slice(offset, offset + limit),
        total: open.length < MAX_OPEN_INVOICES ? matching.length : null,
        has_more: offset + limit < matching.length,
      }
    },
  }
}

const stateByStatus = {
  OPEN: 'posted',
  PARTIALLY_PAID: 'posted',
  OVERDUE: 'posted',
  PAID: 'paid',
  VOID: 'cancelled',
} as const

function matchesStatus({ status, due_date }: Invoice, { status: wanted, today }: InvoiceQuery): boolean {
  const overdue = due_date < today && (status === 'OPEN' || status === 'PARTIALLY_PAID')
  return wanted === 'OVERDUE' ? overdue : status === wanted && !overdue
}
