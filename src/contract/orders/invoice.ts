import Type, { type Static } from 'typebox'
import { TaxTotalSchema } from '../cart/cart.ts'
import { Money } from '../money.ts'
import { Pagination } from '../pagination.ts'
import { Day, Nullable, Timestamp } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { OrderAddress } from '../shoppers/address.ts'

export const invoiceStatuses = ['OPEN', 'PARTIALLY_PAID', 'PAID', 'OVERDUE', 'VOID'] as const
export const InvoiceStatus = Type.Enum([...invoiceStatuses], {
  $id: 'InvoiceStatus',
  description: 'OVERDUE is determined in the merchant’s time zone',
})
const Text = Nullable(Type.String())

export const invoiceItemMembers = {
  invoice_id: Type.String(),
  invoice_number: Type.String(),
  order_id: Text,
  order_number: Text,
  po_number: Text,
  type: Type.Enum(['INVOICE', 'CREDIT_NOTE'], { $id: 'InvoiceType' }),
  status: InvoiceStatus,
  issued_at: Timestamp,
  due_date: Day,
  terms: Text,
  currency: Type.String(),
  total: Money,
  amount_paid: Money,
  balance: Money,
  days_overdue: Type.Integer({ minimum: 0 }),
}

export const InvoiceItem = Type.Object(invoiceItemMembers, { $id: 'InvoiceItem' })
export type InvoiceItem = Static<typeof InvoiceItem>

const InvoiceLine = Type.Object(
  {
    sku: Text,
    description: Type.String(),
    quantity: Type.Number(),
    uom: Text,
    unit_price: Money,
    discount: Money,
    tax: Money,
    line_total: Money,
  },
  { $id: 'InvoiceLine' },
)

const InvoicePayment = Type.Object(
  { paid_at: Timestamp, amount: Money, method: Text, reference: Text },
  { $id: 'InvoicePayment' },
)

export const InvoiceDetail = Type.Object(
  {
    ...invoiceItemMembers,
    lines: Type.Array(InvoiceLine),
    taxes: Type.Array(TaxTotalSchema),
    subtotal: Money,
    tax_total: Money,
    payments: Type.Array(InvoicePayment),
    billing_address: Nullable(OrderAddress),
    errors: SectionErrors,
  },
  { $id: 'InvoiceDetail' },
)
export type InvoiceDetail = Static<typeof InvoiceDetail>

export const InvoiceList = Type.Object(
  { data: Type.Array(InvoiceItem), pagination: Pagination, errors: SectionErrors },
  { $id: 'InvoiceList' },
)
