import { type Static, Type } from 'typebox'
import { emptyOr, OdooDatetime, OdooId, OdooIds, OdooText } from '../client/odoo-values.ts'
import { foundShape, type Specification } from '../client/rpc.ts'
import { AddressRow, addressSpecification } from '../customers/partner-schemas.ts'

const Named = Type.Object({ id: OdooId, name: Type.String() })
const OrderLink = Type.Object({ id: OdooId, name: Type.String(), origin: OdooText, partner_id: OdooId })
const InvoiceLine = Type.Object({
  id: OdooId,
  display_type: OdooText,
  product_id: emptyOr(Type.Object({ id: OdooId, default_code: OdooText })),
  name: OdooText,
  quantity: Type.Number(),
  product_uom_id: emptyOr(Named),
  price_unit: Type.Number(),
  discount: Type.Number(),
  price_subtotal: Type.Number(),
  price_total: Type.Number(),
  tax_ids: OdooIds,
  sale_line_ids: Type.Array(Type.Object({ id: OdooId, order_id: OrderLink })),
})
export type InvoiceLineRow = Static<typeof InvoiceLine>

const PaymentsWidget = emptyOr(
  Type.Object({
    content: Type.Array(
      Type.Object({
        amount: Type.Number(),
        date: Type.String(),
        payment_method_name: Type.Optional(OdooText),
        ref: Type.Optional(OdooText),
      }),
    ),
  }),
)

export const InvoiceRow = Type.Object({
  id: OdooId,
  name: OdooText,
  move_type: Type.String(),
  state: Type.String(),
  payment_state: Type.String(),
  commercial_partner_id: OdooId,
  partner_id: AddressRow,
  invoice_date: Type.String(),
  invoice_date_due: OdooText,
  write_date: OdooDatetime,
  ref: OdooText,
  amount_untaxed: Type.Number(),
  amount_tax: Type.Number(),
  amount_total: Type.Number(),
  amount_residual: Type.Number(),
  invoice_payment_term_id: emptyOr(Named),
  invoice_payments_widget: PaymentsWidget,
  invoice_line_ids: Type.Array(InvoiceLine),
})
export type InvoiceRow = Static<typeof InvoiceRow>
export const InvoiceRows = foundShape(InvoiceRow)

const plain = (...fields: string[]): Specification => Object.fromEntries(fields.map((field) => [field, {}]))
const named: Specification[string] = { fields: { name: {} } }

export const invoiceSpecification: Specification = {
  ...plain('name', 'move_type', 'state', 'payment_state', 'commercial_partner_id', 'invoice_date', 'invoice_date_due'),
  ...plain('write_date', 'ref', 'amount_untaxed', 'amount_tax', 'amount_total', 'amount_residual'),
  partner_id: { fields: addressSpecification },
  invoice_payment_term_id: named,
  invoice_payments_widget: {},
  invoice_line_ids: {
    fields: {
      ...plain(
        'display_type',
        'name',
        'quantity',
        'price_unit',
        'discount',
        'price_subtotal',
        'price_total',
        'tax_ids',
      ),
      product_id: { fields: { default_code: {} } },
      product_uom_id: named,
      sale_line_ids: { fields: { order_id: { fields: { name: {}, origin: {}, partner_id: {} } } } },
    },
  },
}
