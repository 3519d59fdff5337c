import { type TSchema, Type } from 'typebox'
import { Invoice } from './invoice-operations.ts'
import { Order } from './order-schemas.ts'
import { moment, type Operation, paging } from './schema-types.ts'
import { Stock } from './stock-schema.ts'

const query = Type.Object({
  since: Type.String({
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
    description: 'RFC 3339, inclusive, by the clock of the system that is asked.',
  }),
  ...paging,
})

const pageOf = <T extends TSchema>(row: T) => Type.Object({ data: Type.Array(row), has_more: Type.Boolean() })

/** Ends every summary of a change feed. */
const ORDER =
  'In the order (updated_at, id), oldest change first. A change is to be seen here within 5 seconds of its updated_at.'

export const stockChanges = {
  method: 'GET',
  path: '/changes/stock',
  summary: `SKUs whose stock or open receipts changed, with what they are now. ${ORDER}`,
  query,
  answer: pageOf(Type.Object({ sku: Type.String(), updated_at: moment(), stock: Stock })),
} as const satisfies Operation

export const priceChanges = {
  method: 'GET',
  path: '/changes/prices',
  summary: `SKUs of which some price changed, whosever. ${ORDER}`,
  query,
  answer: pageOf(Type.Object({ sku: Type.String(), updated_at: moment() })),
} as const satisfies Operation

export const orderChanges = {
  method: 'GET',
  path: '/changes/orders',
  summary: `Orders of channel ECOMMERCE, of all customers, that changed in any way: a new state, a parcel, an invoice, a payment. ${ORDER}`,
  query,
  answer: pageOf(Order),
} as const satisfies Operation

export const invoiceChanges = {
  method: 'GET',
  path: '/changes/invoices',
  summary: `Invoices and credit notes of all customers that were issued, paid or voided. ${ORDER}`,
  query,
  answer: pageOf(Type.Object({ ...Invoice.properties, updated_at: moment() })),
} as const satisfies Operation
