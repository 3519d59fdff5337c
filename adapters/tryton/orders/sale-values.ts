import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { dateInTimeZone } from '../../calendar-day.ts'
import { nullable, TrytonId, toTrytonDate, toTrytonDecimal } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import { findOrCreateAddress } from '../customers/addresses.ts'
import type { QuotedDelivery } from '../delivery-options/delivery-quotes.ts'
import type { TaxedProduct } from '../pricing/sku-taxes.ts'
import { readSaleCoupons } from './sale-coupons.ts'
import { SALES_CHANNEL } from './sale-outcome-text.ts'

const Reference = Type.Optional(nullable(TrytonId))
/** The defaults of a sale for this party: a sale that is created over RPC gets none. */
const SaleDefaults = Type.Object({
  price_list: Reference,
  payment_term: Reference,
  invoice_address: Reference,
  shipment_address: Reference,
})
/** A list of one up to some series of Tryton, and the values themselves in later ones. */
const SaleDefaultRows = responseSchema(Type.Union([Type.Array(SaleDefaults), SaleDefaults]))
const Terms = responseSchema(Type.Array(Type.Object({ id: TrytonId })))
const EMPTY_ADDRESS = { line1: '', line2: null, city: '', region: null, postal_code: null, country: '' }

/** Returns the values from which Tryton creates a sale, at prices and taxes that were checked. */
export async function buildSaleValues(
  context: TrytonContext,
  draft: OrderDraft,
  { products, delivery }: { products: readonly TaxedProduct[]; delivery: QuotedDelivery | null },
  call: Call,
) {
  const { rpc, settings, facts } = context
  const party = Number(draft.customer_id)
  const company = settings.company ?? 1
  const [found, warehouses, cashTermId, coupons, hasShipmentCosts] = await Promise.all([
    rpc(SaleDefaultRows, 'sale.sale.on_change', [{ party, company, lines: [] }, ['party']], call),
    settings.warehouse === undefined ? null : context.readWarehouses(call),
    draft.payment_method === 'CASH_ON_DELIVERY' ? readCashTermId(context, call) : null,
    draft.promotions.length === 0 ? [] : readSaleCoupons(context, draft, call),
    context.capabilities.has('shipmentCosts', call),
  ])
  const defaults = (Array.isArray(found) ? found[0] : found) ?? {}
  const { shipping_address, billing_address, requested_date } = draft
  const shippingAddressId = shipping_address ? await findOrCreateAddress(context, party, shipping_address, call) : null
  const billingAddressId = billing_address ? await findOrCreateAddress(context, party, billing_address, call) : null
  const knownAddressId = shippingAddressId ?? billingAddressId ?? defaults.shipment_address ?? defaults.invoice_address
  const fallbackAddressId = knownAddressId ?? (await findOrCreateAddress(context, party, EMPTY_ADDRESS, call))
  const shippingDate =
    requested_date && requested_date >= dateInTimeZone(facts.timeZone, facts.now()) ? requested_date : null
  return {
    party,
    web_id: draft.reference,
    description: SALES_CHANNEL,
    reference: draft.po_number,
    comment: formatComment(draft),
    ...(defaults.price_list !== undefined && { price_list: defaults.price_list }),
    ...(warehouses && { warehouse: warehouses.warehouseIds[0] }),
    payment_term: cashTermId ?? defaults.payment_term ?? null,
    shipment_address: shippingAddressId ?? defaults.shipment_address ?? fallbackAddressId,
    invoice_address: billingAddressId ?? defaults.invoice_address ?? fallbackAddressId,
    shipping_date: shippingDate && toTrytonDate(shippingDate),
    // Without a carrier, newer series reject a quotation with a cost method, which is the default.
    ...(hasShipmentCosts && {
      carrier: delivery?.carrierId ?? null,
      shipment_cost_method: delivery?.costMethod ?? null,
    }),
    ...(coupons.length > 0 && { coupons: [['add', coupons.map(({ id }) => id)]] }),
    lines: [['create', toLineValues(draft, products)]],
  }
}

function toLineValues({ lines }: OrderDraft, products: readonly TaxedProduct[]): object[] {
  return lines.map(({ sku, name, quantity, unit_price }, sequence) => {
    const { product, unit, taxIds } = products.find((row) => row.sku === sku)!
    const lineValues = { type: 'line', sequence, product, unit, description: name }
    return {
      ...lineValues,
      quantity: Number(quantity),
      unit_price: toTrytonDecimal(unit_price),
      taxes: [['add', taxIds]],
    }
  })
}

async function readCashTermId({ rpc, settings }: TrytonContext, call: Call): Promise<number | null> {
  if (settings.cash_term === undefined) return null
  const domain = [['name', '=', settings.cash_term]]
  const [term] = await rpc(Terms, 'account.invoice.payment_term.search_read', [domain, 0, 1, [['id', 'ASC']], []], call)
  return term?.id ?? null
}

/** Returns the comment for the staff who pack and ship the order. */
function formatComment({ notes, contact, fulfillment_method, payment_method, requested_date }: OrderDraft): string {
  const person = contact && [contact.name, contact.phone, contact.email].filter(Boolean).join(', ')
  return [
    notes,
    person && `Contact: ${person}`,
    fulfillment_method === 'PICKUP' && 'The customer picks it up.',
    payment_method === 'CASH_ON_DELIVERY' && 'Cash on delivery.',
    requested_date && `Wanted on ${requested_date}.`,
  ]
    .filter(Boolean)
    .join('\n')
}
