import { Type } from 'typebox'
import { invoiceChangesOperation, orderChangesOperation } from './change-feed-operations.ts'
import { customerOperations } from './customer-operations.ts'
import { invoiceOperations } from './invoice-operations.ts'
import { orderOperations } from './order-operations.ts'
import { nullableSchema, type Operation, skuListSchema } from './schema-types.ts'

const Tax = Type.Object({
  sku: Type.String(),
  code: Type.String(),
  name: Type.String(),
  rate: Type.String({ pattern: '^\\d+(\\.\\d+)?$', description: 'A fraction: 15 % is "0.15".' }),
})

export const accountingOperations = {
  quoteTaxes: {
    method: 'POST',
    path: '/taxes',
    summary: 'The tax on one sale of each SKU; unknown SKUs are left out. 404: there is no such customer.',
    body: Type.Object({ skus: skuListSchema(), customer_id: nullableSchema(Type.String({ minLength: 1 })) }),
    answer: Type.Object({ data: Type.Array(Tax) }),
  },
  ...customerOperations,
  ...orderOperations,
  ...invoiceOperations,
  listOrderChanges: orderChangesOperation,
  listInvoiceChanges: invoiceChangesOperation,
} as const satisfies Record<string, Operation>
