import { Type } from 'typebox'
import { invoiceChanges, orderChanges } from './change-feed-operations.ts'
import { customerOperations } from './customer-operations.ts'
import { invoiceOperations } from './invoice-operations.ts'
import { orderOperations } from './order-operations.ts'
import { nullable, type Operation, skuList } from './schema-types.ts'

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
    body: Type.Object({ skus: skuList(), customer_id: nullable(Type.String({ minLength: 1 })) }),
    answer: Type.Object({ data: Type.Array(Tax) }),
  },
  ...customerOperations,
  ...orderOperations,
  ...invoiceOperations,
  listOrderChanges: orderChanges,
  listInvoiceChanges: invoiceChanges,
} as const satisfies Record<string, Operation>
