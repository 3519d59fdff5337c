import type { ChangeTimestamp } from './change-feed.ts'
import type { Address } from './customer.ts'
import type { TaxTotal } from './order.ts'
import type { Amount } from './pricing.ts'

export interface InvoiceLine {
  sku: string | null
  description: string
  quantity: string
  uom: string | null
  unit_price: Amount
  discount: Amount
  tax: Amount
  line_total: Amount
}

/** An invoice of the accounting system. Forecourt decides whether an open one is overdue, in the merchant's time zone. */
export interface Invoice {
  invoice_id: string
  invoice_number: string
  /** The ledger's own order id; `order_reference` is the reference of the placement. */
  order_id: string | null
  order_reference: string | null
  order_number: string | null
  po_number: string | null
  type: 'INVOICE' | 'CREDIT_NOTE'
  status: 'OPEN' | 'PARTIALLY_PAID' | 'PAID' | 'VOID'
  /** RFC 3339, UTC. */
  issued_at: string
  /** YYYY-MM-DD. */
  due_date: string
  terms: string | null
  currency: string
  lines: InvoiceLine[]
  taxes: TaxTotal[]
  subtotal: Amount
  tax_total: Amount
  total: Amount
  amount_paid: Amount
  balance: Amount
  payments: { paid_at: string; amount: Amount; method: string | null; reference: string | null }[]
  billing_address: Address | null
}

/** An invoice in a change feed, which covers all customers. */
export interface InvoiceChange extends Invoice, ChangeTimestamp {
  customer_id: string
}

export interface InvoiceQuery {
  limit: number
  offset: number
  /** OVERDUE is OPEN or PARTIALLY_PAID with a due date before `today`. */
  status?: 'OPEN' | 'PARTIALLY_PAID' | 'PAID' | 'OVERDUE' | 'VOID'
  /** The ledger's own order id. */
  order_id?: string
  /** YYYY-MM-DD in the merchant's time zone. */
  today: string
}

export interface InvoicePage {
  invoices: Invoice[]
  total: number | null
  has_more: boolean
}

/** The largest PDF of an invoice that is passed on: 5 MiB. */
export const MAX_INVOICE_DOCUMENT_BYTES = 5_242_880
