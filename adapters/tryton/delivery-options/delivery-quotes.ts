import { Decimal } from 'decimal.js'
import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { type DeliveryOption, type DeliveryOptionsQuery, MAX_DELIVERY_OPTIONS } from '../../../src/ports/delivery.ts'
import type { QuotedLine } from '../../../src/ports/pricing.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { TrytonContext } from '../context.ts'
import { currencyDigits } from '../currency-digits.ts'
import { parsePartyId } from '../pricing/parse-party-id.ts'
import type { PriceDelivery } from '../pricing/promotion-quotes.ts'
import type { CustomerTaxes } from '../pricing/sku-taxes.ts'
import { type AvailableCarriers, createAvailableCarrierReader } from './available-carriers.ts'
import { computeCarrierCost } from './carrier-cost.ts'
import { type Carrier, createCarrierReader } from './carrier-reader.ts'

const Count = responseSchema(Type.Integer())
const MAX_NAME_LENGTH = 200
const MAX_DESCRIPTION_LENGTH = 500

/** A delivery option with the values that a sale needs for it. */
export interface QuotedDelivery {
  option: DeliveryOption
  carrierId: number
  /** `null` for a customer who pays nothing for deliveries. */
  costMethod: 'order' | null
}

/** Prices the deliveries of an order. Tryton itself prices one only when it quotes a sale that it has stored. */
export type DeliveryQuotes = (
  query: Omit<DeliveryOptionsQuery, 'goods_total' | 'tax_included'>,
  call: Call,
) => Promise<QuotedDelivery[]>

interface CartFacts {
  lines: { price: string; quantity: string }[]
  available: AvailableCarriers
  priceDelivery: PriceDelivery
  toCustomerTaxes(ids: readonly number[]): CustomerTaxes | null
}

export function createDeliveryQuotes(context: TrytonContext): DeliveryQuotes {
  const { rpc, taxes, formatAmount } = context
  const digits = currencyDigits(context)
  const readCarriers = createCarrierReader(context)
  const readAvailableCarriers = createAvailableCarrierReader(context)

  /** Tryton adds the cost of a delivery only to a sale with something to deliver. */
  async function hasGoods(skus: readonly string[], call: Call): Promise<boolean> {
    const domain = [
      ['code', 'in', skus],
      ['type', 'in', ['goods', 'assets']],
    ]
    return (await rpc(Count, 'product.product.search_count', [domain], call)) > 0
  }

  function toQuoted(
    carrier: Carrier,
    { lines, available, priceDelivery, toCustomerTaxes }: CartFacts,
  ): QuotedDelivery[] {
    const { id: product, 'template.': template } = carrier['carrier_product.']
    const cost = computeCarrierCost(carrier, lines, digits)
    const taxIds = template['account_category.']?.customer_taxes_used
    const tax = taxIds && toCustomerTaxes(taxIds)
    if (!template.salable || cost === null || !tax) return []
    const line = { product, unit: template.default_uom, categories: template.categories_all, price: cost }
    const price = available.isCharged ? priceDelivery(line) : '0'
    if (price === null) return []
    const amount = new Decimal(price).toDecimalPlaces(digits, Decimal.ROUND_HALF_EVEN)
    const option: DeliveryOption = {
      delivery_option_id: String(carrier.id),
      name: template.name.slice(0, MAX_NAME_LENGTH),
      description: carrier['party.'].name?.slice(0, MAX_DESCRIPTION_LENGTH) ?? null,
      fulfillment_method: 'DELIVERY',
      price: formatAmount(amount.toFixed()),
      tax: { code: tax.code, name: tax.name, rate: tax.rate },
      pickup_places: [],
    }
    return [{ option, carrierId: carrier.id, costMethod: available.isCharged ? 'order' : null }]
  }

  return async ({ customerId, lines, codes = [], shipping_address }, call) => {
    const carriers = await readCarriers(call)
    if (carriers.length === 0 || lines.length === 0) return []
    const asked = lines.map((line, i) => ({ line_id: String(i), ...line }))
    const products = carriers.map(({ 'carrier_product.': { id, 'template.': template } }) => ({
      product: id,
      unit: template.default_uom,
    }))
    const [available, { quote, priceDelivery }, toCustomerTaxes, isDelivered] = await Promise.all([
      readAvailableCarriers(parsePartyId(customerId), shipping_address, call),
      context.quoteWithDelivery({ customerId, lines: asked, codes: [...codes] }, products, call),
      taxes.readTaxMapping(customerId, call),
      hasGoods([...new Set(lines.map(({ sku }) => sku))], call),
    ])
    // Without the price of a line, a percentage is unknown.
    if (!isDelivered || quote.lines.length < lines.length) return []
    const facts = {
      lines: asked.map((line) => withPrice(line, quote.lines)),
      available,
      priceDelivery,
      toCustomerTaxes,
    }
    return available.carrierIds
      .flatMap((id) => carriers.find((carrier) => carrier.id === id) ?? [])
      .flatMap((carrier) => toQuoted(carrier, facts))
      .slice(0, MAX_DELIVERY_OPTIONS)
  }
}

const withPrice = ({ line_id, quantity }: { line_id: string; quantity: string }, quoted: readonly QuotedLine[]) => ({
  quantity,
  price: quoted.find((line) => line.line_id === line_id)!.unit_price,
})
