import { type Static, Type } from 'typebox'
import { Address } from './customer-operations.ts'
import type { Operation } from './operation.ts'
import { amountSchema, enumSchema, idSchema, nullableSchema, textSchema } from './schema-parts.ts'

export const PickupPlace = Type.Object({
  pickup_place_id: idSchema(),
  name: textSchema(200),
  description: nullableSchema(Type.String({ maxLength: 500, description: 'Such as the opening hours.' })),
  address: nullableSchema(Address),
})

const DeliveryOption = Type.Object({
  delivery_option_id: idSchema(),
  name: textSchema(200),
  description: nullableSchema(Type.String({ maxLength: 500, description: 'Such as how long it takes.' })),
  fulfillment_method: enumSchema('DELIVERY', 'PICKUP'),
  price: Type.String({
    pattern: '^\\d{1,15}(\\.\\d{1,10})?$',
    description: 'For the whole order; with tax when `tax_included` of the request is true.',
  }),
  tax: Type.Object({
    code: textSchema(64),
    name: textSchema(200),
    rate: Type.String({ pattern: '^\\d+(\\.\\d+)?$', description: 'A fraction: 15 % is "0.15".' }),
  }),
  pickup_places: Type.Array(PickupPlace, { maxItems: 200 }),
})
export type DeliveryOption = Static<typeof DeliveryOption>

const DeliveryRequest = Type.Object({
  customer_id: idSchema(),
  lines: Type.Array(Type.Object({ sku: idSchema(), quantity: amountSchema() }), { minItems: 1, maxItems: 500 }),
  goods_total: Type.String({
    pattern: '^\\d{1,15}(\\.\\d{1,10})?$',
    description: 'The sum of line_total: after discounts, with tax.',
  }),
  tax_included: Type.Boolean({ description: 'Whether prices include the tax.' }),
  shipping_address: nullableSchema(Address),
})
export type DeliveryRequest = Static<typeof DeliveryRequest>

export const deliveryOperations = {
  listDeliveryOptions: {
    method: 'POST',
    path: '/delivery-options',
    summary:
      'The ways in which an order can get to the customer, at most 50, with their prices for this order. 404 not_offered: this system has none.',
    body: DeliveryRequest,
    response: Type.Object({ data: Type.Array(DeliveryOption, { maxItems: 50 }) }),
  },
} as const satisfies Record<string, Operation>
