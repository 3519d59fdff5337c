import { type TSchema, Type } from 'typebox'
import { Invoice } from './invoice-operations.ts'
import { Order } from './order-schemas.ts'
import { type Operation, pagingProperties, timestampSchema } from './schema-types.ts'
import { Stock } from './stock-schema.ts'

const query = Type.Object({
  since: Type.String({
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
    description: 'RFC 3339, inclusive, by the clock of the system that is asked.',
  }),
  ...pagingProperties,
})

const pageOf = <T extends TSchema>(row: T) => Type.Object({ data: Type.Array(row), has_more: Type.Boolean() })

/** Ends every summary of a change feed. */
const ORDER =
  'In the order (updated_at, id), oldest change first. A change is to be seen here within 5 seconds of its updated_at.'

export const stockChangesOperation = {
  method: 'GET',
  path: '/changes/stock',
  summary: `SKUs whose stock or open receipts changed, with what they are now. ${ORDER}`,
  query,
  answer: pageOf(Type.Object({ sku: Type.String(), updated_at: timestampSchema(), stock: Stock })),
} as const satisfies Operation

export const priceChangesOperation = {
  method: 'GET',
  path: '/changes/prices',
  summary: `SKUs of which some price changed, whosever. ${ORDER}`,
  query,
  answer: pageOf(Type.Object({ sku: Type.String(), updated_at: timestampSchema() })),
} as const satisfies Operation

export const orderChangesOperation = {
  method: 'GET',
  path: '/changes/orders',
  summary: `Orders of channel ECOMMERCE, of all customers, that changed in any way: a new state, a parcel, an invoice, a payment. ${ORDER}`,
  query,
  answer: pageOf(Order),
} as const satisfies Operation

export const invoiceChangesOperation = {
  method: 'GET',
  path: '/changes/invoices',
  summary: `Invoices and credit notes of all customers that were issued, paid or voided. ${ORDER}`,
  query,
  answer: pageOf(Type.Object({ ...Invoice.properties, updated_at: timestampSchema() })),
} as const satisfies Operation
