import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import type { LoadRows } from '../client/create-record-once.ts'
import type { OdooContext } from '../context.ts'
import { saveAddress } from '../customers/addresses.ts'
import type { QuotedDelivery } from '../delivery-options/delivery-quotes.ts'
import type { AppliedCodes } from '../pricing/apply-promotion-codes.ts'
import type { Pricing } from '../pricing/price-reader.ts'
import { REFUSED_SALE_ORIGIN_PREFIX, SALE_ORIGIN_PREFIX } from './sale-origin.ts'

const LINE_FIELDS = [
  'order_line/product_id/.id',
  'order_line/product_uom_id/.id',
  'order_line/product_uom_qty',
  'order_line/price_unit',
  'order_line/discount',
]
/** Only Odoo's module for deliveries has it. */
const DELIVERY_FIELD = 'order_line/is_delivery'

type SaleSources = Pricing & Pick<AppliedCodes, 'percents' | 'unitPrices'> & { delivery: QuotedDelivery | null }

/** Returns the rows of a sale order for `load`, as staff read it. Its prices and fiscal position are those that were checked. */
export async function buildSaleLoadRows(
  context: OdooContext,
  draft: OrderDraft,
  { products, positionId, priceListId, percents, unitPrices, delivery }: SaleSources,
  call: Call,
): Promise<LoadRows> {
  const customer = Number(draft.customer_id)
  const { shipping_address, billing_address } = draft
  const [shipping, billing, { context: warehouse }] = await Promise.all([
    shipping_address && saveAddress(context, customer, 'delivery', shipping_address, call),
    billing_address && saveAddress(context, customer, 'invoice', billing_address, call),
    context.readWarehouses(call),
  ])
  const values: [field: string, value: string | number | null | undefined][] = [
    ['partner_shipping_id/.id', shipping],
    ['partner_invoice_id/.id', billing],
    ['pricelist_id/.id', priceListId],
    ['warehouse_id/.id', warehouse.warehouse_id],
    ['client_order_ref', draft.po_number],
    ['carrier_id/.id', delivery?.carrierId],
    // Noon, so that the day is the same in the time zones of staff.
    ['commitment_date', draft.requested_date && `${draft.requested_date} 12:00:00`],
    ['note', toNote(draft)],
    ...(draft.payment_method === 'CASH_ON_DELIVERY' ? [await cashTerm(context, call)] : []),
  ]
  const head: [string, string][] = [
    ['partner_id/.id', String(customer)],
    ['origin', SALE_ORIGIN_PREFIX + draft.reference],
    // Always given: Odoo would choose one itself.
    ['fiscal_position_id/.id', positionId === null ? '' : String(positionId)],
    ...values.flatMap(([field, value]): [string, string][] => (value ? [[field, String(value)]] : [])),
  ]
  const bySku = new Map(products.map((product) => [product.sku, product]))
  const lines = draft.lines.map(({ sku, quantity, unit_price }, i) => {
    const { productId, unitId } = bySku.get(sku)!
    return [
      String(productId),
      String(unitId),
      quantity,
      unitPrices.get(String(i)) ?? unit_price,
      percents.get(String(i)) ?? '0',
    ]
  })
  const blank = head.map(() => '')
  const ordered = delivery ? [...lines.map((line) => [...line, '0']), toDeliveryLine(delivery)] : lines
  return {
    fields: [...head.map(([field]) => field), ...LINE_FIELDS, ...(delivery ? [DELIVERY_FIELD] : [])],
    data: ordered.map((line, i) => [...(i === 0 ? head.map(([, value]) => value) : blank), ...line]),
  }
}

const toDeliveryLine = ({ option, productId, unitId }: QuotedDelivery): string[] => [
  String(productId),
  String(unitId),
  '1',
  option.price,
  '0',
  '1',
]

/** Returns the rows of an order that is refused: it has no lines, and no list of orders shows it. */
export const buildRefusedSaleLoadRows = ({ customer_id, reference, po_number }: OrderDraft): LoadRows => ({
  fields: ['partner_id/.id', 'origin', 'client_order_ref'],
  data: [[customer_id, REFUSED_SALE_ORIGIN_PREFIX + reference, po_number ?? '']],
})

async function cashTerm({ settings, readPaymentTerm }: OdooContext, call: Call): Promise<[string, number | null]> {
  const name = settings.cash_term
  return ['payment_term_id/.id', name === undefined ? null : await readPaymentTerm(name, call)]
}

/** Returns what staff should read about an order and Odoo has no field for. */
function toNote({ notes, contact, fulfillment_method, payment_method, promotions }: OrderDraft): string {
  const person = contact && [contact.name, contact.phone, contact.email].filter(Boolean).join(', ')
  const lines = [
    notes,
    person && `Contact: ${person}`,
    promotions.length > 0 && `Promotion code: ${promotions.map(({ code }) => code).join(', ')}`,
    fulfillment_method === 'PICKUP' && 'The customer picks the goods up.',
    payment_method === 'CASH_ON_DELIVERY' && 'Cash on delivery.',
  ]
  const text = lines.filter(Boolean).join('\n')
  return text && `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
