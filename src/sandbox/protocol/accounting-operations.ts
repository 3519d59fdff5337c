import { Type } from 'typebox'
import { customerOperations } from './customer-operations.ts'
import { deliveryOperations } from './delivery-operations.ts'
import { invoiceOperations } from './invoice-operations.ts'
import type { Operation } from './operation.ts'
import { orderOperations } from './order-operations.ts'
import { nullableSchema, skuListSchema } from './schema-parts.ts'

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
    summary: 'The tax on a sale of each SKU. Omits unknown SKUs. 404: the customer does not exist.',
    body: Type.Object({ skus: skuListSchema(), customer_id: nullableSchema(Type.String({ minLength: 1 })) }),
    response: Type.Object({ data: Type.Array(Tax) }),
  },
  ...customerOperations,
  ...deliveryOperations,
  ...orderOperations,
  ...invoiceOperations,
} as const satisfies Record<string, Operation>
