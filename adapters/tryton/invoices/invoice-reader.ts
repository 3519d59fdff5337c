import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { Invoice, InvoiceQuery } from '../../../src/ports/invoice.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { type AccountingContext, companyDomain, parseRecordId } from '../accounting-context.ts'
import { toInvoice } from './invoice-mapping.ts'
import { readInvoiceRecords, readInvoices } from './invoice-records.ts'

const Count = responseSchema(Type.Integer())
const NEWEST = [
  ['invoice_date', 'DESC'],
  ['id', 'DESC'],
]
/** More open invoices of one customer than these are not looked through. */
const MAX_OPEN = 1_000

/** Customers' invoices that bear a number: a draft is none yet. */
export const issuedInvoicesDomain = (ledger: Pick<AccountingContext, 'settings'>): unknown[] => [
  companyDomain(ledger),
  ['type', '=', 'out'],
  ['number', '!=', null],
  ['state', 'in', ['posted', 'paid', 'cancelled']],
]

type Reads = Required<Pick<AccountingPort, 'invoice' | 'invoices'>>

export function createInvoiceReader(ledger: AccountingContext): Reads {
  const { rpc, abilities } = ledger

  async function page(domain: unknown[], call: Call, offset = 0, limit: number | null = null): Promise<Invoice[]> {
    const [rows, taxes] = await Promise.all([
      readInvoices(ledger, domain, call, { offset, limit, order: NEWEST }),
      ledger.taxes.table(call),
    ])
    return (await readInvoiceRecords(ledger, rows, call)).map((records) => toInvoice(records, { ...ledger, taxes }))
  }

  return {
    async invoice(customerId, invoiceId, call) {
      await abilities.need(call, 'invoices', 'orders')
      const [party, id] = [parseRecordId(customerId), parseRecordId(invoiceId)]
      if (party === null || id === null) return null
      const [found] = await page([...issuedInvoicesDomain(ledger), ['party', '=', party], ['id', '=', id]], call)
      return found ?? null
    },
    async invoices(customerId, query, call) {
      await abilities.need(call, 'invoices', 'orders')
      const { limit, offset, status, order_id } = query
      const party = parseRecordId(customerId)
      const order = order_id === undefined ? null : parseRecordId(order_id)
      if (party === null || (order_id !== undefined && order === null))
        return { invoices: [], total: 0, has_more: false }
      const domain = [
        ...issuedInvoicesDomain(ledger),
        ['party', '=', party],
        ...(order === null ? [] : [['sales', 'in', [order]]]),
      ]
      const state = status === undefined ? null : stateOf[status]
      if (state !== 'posted') {
        const whole = state === null ? domain : [...domain, ['state', '=', state]]
        const [invoices, total] = await Promise.all([
          page(whole, call, offset, limit),
          rpc(Count, 'account.invoice.search_count', [whole], call),
        ])
        return { invoices, total, has_more: offset + invoices.length < total }
      }
      // How much of it is paid, and since when it is due, Tryton does not keep with an invoice.
      const open = await page([...domain, ['state', '=', 'posted']], call, 0, MAX_OPEN)
      const found = open.filter((invoice) => isIn(invoice, query))
      return {
        invoices: found.slice(offset, offset + limit),
        total: open.length < MAX_OPEN ? found.length : null,
        has_more: offset + limit < found.length,
      }
    },
  }
}

const stateOf = {
  OPEN: 'posted',
  PARTIALLY_PAID: 'posted',
  OVERDUE: 'posted',
  PAID: 'paid',
  VOID: 'cancelled',
} as const

function isIn({ status, due_date }: Invoice, { status: wanted, today }: InvoiceQuery): boolean {
  const overdue = due_date < today && (status === 'OPEN' || status === 'PARTIALLY_PAID')
  return wanted === 'OVERDUE' ? overdue : status === wanted && !overdue
}
