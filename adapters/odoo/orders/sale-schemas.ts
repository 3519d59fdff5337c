import { type Static, Type } from 'typebox'
import { emptyOr, OdooDatetime, OdooId, OdooIds, OdooText } from '../client/odoo-values.ts'
import { foundShape, type Specification } from '../client/rpc.ts'
import { AddressRow, addressSpecification } from '../customers/partner-schemas.ts'

const ProductLink = emptyOr(Type.Object({ id: OdooId, default_code: OdooText }))

const LineRow = Type.Object({
  id: OdooId,
  display_type: OdooText,
  product_id: ProductLink,
  name: Type.String(),
  product_uom_qty: Type.Number(),
  product_uom_id: emptyOr(OdooId),
  price_unit: Type.Number(),
  discount: Type.Number(),
  price_subtotal: Type.Number(),
  price_tax: Type.Number(),
  price_total: Type.Number(),
  tax_ids: OdooIds,
})
export type LineRow = Static<typeof LineRow>

const PickingRow = Type.Object({
  id: OdooId,
  name: Type.String(),
  state: Type.String(),
  picking_type_code: OdooText,
  date_done: emptyOr(OdooDatetime),
  write_date: OdooDatetime,
  carrier_id: Type.Optional(emptyOr(Type.Object({ id: OdooId, name: Type.String() }))),
  carrier_tracking_ref: Type.Optional(OdooText),
  carrier_tracking_url: Type.Optional(OdooText),
  move_ids: Type.Array(
    Type.Object({ id: OdooId, state: Type.String(), quantity: Type.Number(), product_id: ProductLink }),
  ),
})
export type PickingRow = Static<typeof PickingRow>

export const SaleRow = Type.Object({
  id: OdooId,
  name: Type.String(),
  state: Type.String(),
  origin: OdooText,
  client_order_ref: OdooText,
  partner_id: OdooId,
  date_order: OdooDatetime,
  commitment_date: emptyOr(OdooDatetime),
  write_date: OdooDatetime,
  amount_untaxed: Type.Number(),
  amount_tax: Type.Number(),
  amount_total: Type.Number(),
  delivery_status: OdooText,
  partner_shipping_id: emptyOr(AddressRow),
  partner_invoice_id: emptyOr(AddressRow),
  order_line: Type.Array(LineRow),
  picking_ids: Type.Array(PickingRow),
  invoice_ids: Type.Array(Type.Object({ id: OdooId, state: Type.String(), write_date: OdooDatetime })),
})
export type SaleRow = Static<typeof SaleRow>
export const SaleRows = foundShape(SaleRow)

const PLAIN_FIELDS = [
  'name',
  'state',
  'origin',
  'client_order_ref',
  'partner_id',
  'date_order',
  'commitment_date',
  'write_date',
  'amount_untaxed',
  'amount_tax',
  'amount_total',
  'delivery_status',
]
const LINE_FIELDS = Object.keys(LineRow.properties).filter((field) => field !== 'product_id')
const namesToRead = (fields: readonly string[]): Specification => Object.fromEntries(fields.map((field) => [field, {}]))
const product: Specification[string] = { fields: { default_code: {} } }

/** Returns the fields of an order to read. `pickingFields` are the optional fields that deliveries have here. */
export const saleSpecification = (pickingFields: ReadonlySet<string>): Specification => ({
  ...namesToRead(PLAIN_FIELDS),
  partner_shipping_id: { fields: addressSpecification },
  partner_invoice_id: { fields: addressSpecification },
  order_line: { fields: { ...namesToRead(LINE_FIELDS), product_id: product } },
  picking_ids: {
    fields: {
      ...namesToRead(['name', 'state', 'picking_type_code', 'date_done', 'write_date']),
      ...namesToRead([...pickingFields].filter((field) => field !== 'carrier_id')),
      ...(pickingFields.has('carrier_id') && { carrier_id: { fields: { name: {} } } }),
      move_ids: { fields: { state: {}, quantity: {}, product_id: product } },
    },
  },
  invoice_ids: { fields: { state: {}, write_date: {} } },
})
