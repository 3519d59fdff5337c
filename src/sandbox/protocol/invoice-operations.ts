import { type Static, Type } from 'typebox'
import { Address } from './customer-operations.ts'
import { binaryFileSchema, type Operation } from './operation.ts'
import { TaxTotal } from './order-schemas.ts'
import {
  amountSchema,
  CHANGE_ORDER,
  changePageSchema,
  changeQuerySchema,
  dateSchema,
  enumSchema,
  idSchema,
  nullableSchema,
  pageSchema,
  pagingProperties,
  timestampSchema,
} from './schema-parts.ts'

export const Invoice = Type.Object({
  invoice_id: Type.String(),
  invoice_number: Type.String(),
  customer_id: Type.String(),
  order_id: nullableSchema(Type.String({ description: "The accounting system's own id of the order." })),
  order_reference: nullableSchema(Type.String({ description: 'The reference that the order was placed with.' })),
  order_number: nullableSchema(Type.String()),
  po_number: nullableSchema(Type.String()),
  type: enumSchema('INVOICE', 'CREDIT_NOTE'),
  status: enumSchema('OPEN', 'PARTIALLY_PAID', 'PAID', 'VOID'),
  issued_at: timestampSchema(),
  due_date: dateSchema(),
  terms: nullableSchema(Type.String()),
  currency: Type.String(),
  lines: Type.Array(
    Type.Object({
      sku: nullableSchema(Type.String()),
      description: Type.String(),
      quantity: amountSchema(),
      uom: nullableSchema(Type.String()),
      unit_price: amountSchema(),
      discount: amountSchema(),
      tax: amountSchema(),
      line_total: amountSchema(),
    }),
  ),
  taxes: Type.Array(TaxTotal),
  subtotal: amountSchema(),
  tax_total: amountSchema(),
  total: amountSchema(),
  amount_paid: amountSchema(),
  balance: amountSchema(),
  payments: Type.Array(
    Type.Object({
      paid_at: timestampSchema(),
      amount: amountSchema(),
      method: nullableSchema(Type.String()),
      reference: nullableSchema(Type.String()),
    }),
  ),
  billing_address: nullableSchema(Address),
})
export type Invoice = Static<typeof Invoice>

export const invoiceOperations = {
  listInvoices: {
    method: 'GET',
    path: '/invoices',
    summary:
      "A customer's invoices and credit notes, newest first. OVERDUE: open or partially paid, and due before `today`; OPEN and PARTIALLY_PAID exclude those.",
    query: Type.Object({
      customer_id: idSchema(),
      status: Type.Optional(enumSchema('OPEN', 'PARTIALLY_PAID', 'PAID', 'OVERDUE', 'VOID')),
      order_id: Type.Optional(idSchema()),
      today: dateSchema(),
      ...pagingProperties,
    }),
    response: pageSchema(Invoice),
  },
  readInvoice: {
    method: 'GET',
    path: '/invoices/{invoice_id}',
    summary: 'One invoice of this customer. 404: it does not exist, or belongs to another customer.',
    params: Type.Object({ invoice_id: idSchema() }),
    query: Type.Object({ customer_id: idSchema() }),
    response: Invoice,
  },
  readInvoiceDocument: {
    method: 'GET',
    path: '/invoices/{invoice_id}/document',
    summary:
      'The PDF of an invoice of this customer, at most 5 MiB, as application/pdf. 404 not_found: there is no PDF of it. 404 not_offered: this system has no documents.',
    params: Type.Object({ invoice_id: idSchema() }),
    query: Type.Object({ customer_id: idSchema() }),
    response: binaryFileSchema,
    file: 'application/pdf',
  },
  listInvoiceChanges: {
    method: 'GET',
    path: '/changes/invoices',
    summary: `Invoices and credit notes of all customers that were issued, paid or voided. ${CHANGE_ORDER}`,
    query: changeQuerySchema,
    response: changePageSchema(Type.Object({ ...Invoice.properties, updated_at: timestampSchema() })),
  },
} as const satisfies Record<string, Operation>
