import { type TSchema, Type } from 'typebox'

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const Amount = Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$' })
const Text = nullable(Type.String())
const Address = Type.Object({
  line1: Type.String(),
  line2: Text,
  city: Type.String(),
  region: Text,
  postal_code: Text,
  country: Type.String(),
})
const Delivery = Type.Object({
  delivery_option_id: Type.String(),
  name: Type.String(),
  pickup_place: Type.Null(),
})
const LineTax = Type.Object({ code: Type.String(), rate: Amount, amount: Amount })
/** The part of a draft that an order is made of. Staff can edit it where it is stored. */
export const StoredOrderDraft = Type.Object({
  reference: Type.String(),
  customer_id: Type.String(),
  payment_method: Type.String(),
  fulfillment_method: Type.String(),
  delivery: Type.Optional(nullable(Delivery)),
  shipping_address: nullable(Address),
  billing_address: nullable(Address),
  contact: nullable(Type.Object({ name: Text, phone: Text, email: Text })),
  po_number: Text,
  notes: Text,
  requested_date: Text,
  lines: Type.Array(
    Type.Object({
      sku: Type.String(),
      name: Type.String(),
      quantity: Amount,
      uom: Type.String(),
      order_uom: Text,
      order_quantity: nullable(Amount),
      unit_price: Amount,
      list_unit_price: nullable(Amount),
      discount: Amount,
      tax: LineTax,
      line_total: Amount,
    }),
  ),
  promotions: Type.Array(Type.Object({ code: Type.String(), description: Text, discount: Amount })),
  totals: Type.Object({
    subtotal: Amount,
    discount_total: Amount,
    tax_total: Amount,
    shipping_total: Amount,
    total: Amount,
    taxes: Type.Array(Type.Object({ ...LineTax.properties, name: Type.String(), base: Amount })),
    tax_included: Type.Boolean(),
  }),
})
