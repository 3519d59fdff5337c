import { type Static, Type } from 'typebox'
import { Address } from './customer-operations.ts'
import { TaxTotal } from './order-schemas.ts'
import { amount, day, id, moment, nullable, type Operation, oneOf, pageOf, paging } from './schema-types.ts'

export const Invoice = Type.Object({
  invoice_id: Type.String(),
  invoice_number: Type.String(),
  customer_id: Type.String(),
  order_id: nullable(Type.String({ description: "The ledger's own." })),
  order_reference: nullable(Type.String({ description: 'What the order was placed with.' })),
  order_number: nullable(Type.String()),
  po_number: nullable(Type.String()),
  type: oneOf('INVOICE', 'CREDIT_NOTE'),
  status: oneOf('OPEN', 'PARTIALLY_PAID', 'PAID', 'VOID'),
  issued_at: moment(),
  due_date: day(),
  terms: nullable(Type.String()),
  currency: Type.String(),
  lines: Type.Array(
    Type.Object({
      sku: nullable(Type.String()),
      description: Type.String(),
      quantity: amount(),
      uom: nullable(Type.String()),
      unit_price: amount(),
      discount: amount(),
      tax: amount(),
      line_total: amount(),
    }),
  ),
  taxes: Type.Array(TaxTotal),
  subtotal: amount(),
  tax_total: amount(),
  total: amount(),
  amount_paid: amount(),
  balance: amount(),
  payments: Type.Array(
    Type.Object({
      paid_at: moment(),
      amount: amount(),
      method: nullable(Type.String()),
      reference: nullable(Type.String()),
    }),
  ),
  billing_address: nullable(Address),
})
export type Invoice = Static<typeof Invoice>

export const invoiceOperations = {
  listInvoices: {
    method: 'GET',
    path: '/invoices',
    summary:
      "A customer's invoices and credit notes, newest first. OVERDUE: open or partly paid, and due before `today`; OPEN and PARTIALLY_PAID leave those out.",
    query: Type.Object({
      customer_id: id(),
      status: Type.Optional(oneOf('OPEN', 'PARTIALLY_PAID', 'PAID', 'OVERDUE', 'VOID')),
      order_id: Type.Optional(id()),
      today: day(),
      ...paging,
    }),
    answer: pageOf(Invoice),
  },
  readInvoice: {
    method: 'GET',
    path: '/invoices/{invoice_id}',
    summary: "One invoice of this customer. 404: there is none, or it is another customer's.",
    params: Type.Object({ invoice_id: id() }),
    query: Type.Object({ customer_id: id() }),
    answer: Invoice,
  },
} as const satisfies Record<string, Operation>
