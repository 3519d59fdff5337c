import { Decimal } from 'decimal.js'
import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { type DeliveryOption, type DeliveryOptionsQuery, MAX_DELIVERY_OPTIONS } from '../../../src/ports/delivery.ts'
import { formatDecimal } from '../../decimal-format.ts'
import { OdooId, OdooIds, toText } from '../client/odoo-values.ts'
import { foundShape } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'
import { computeCartTaxes, type TaxedLine, type TaxRounding } from '../pricing/cart-taxes.ts'
import { isWithoutTax } from '../pricing/combined-tax.ts'
import type { Pricing } from '../pricing/price-reader.ts'
import type { OtherPrice } from '../pricing/priced-product.ts'
import { toTaxedLines } from '../pricing/quote-lines.ts'
import { type DeliveryPlace, isCarrierOffered } from './carrier-eligibility.ts'
import { type Carrier, createCarrierReader } from './carrier-reader.ts'
import { addMargins, type DeliveredGoods, findStepPrice, isFree } from './delivery-price.ts'

const MAX_NAME_LENGTH = 200
const MAX_DESCRIPTION_LENGTH = 500

const Goods = foundShape(
  Type.Object({
    id: OdooId,
    type: Type.String(),
    weight: Type.Number(),
    volume: Type.Number(),
    all_product_tag_ids: OdooIds,
  }),
)
const goodsSpecification = { type: {}, weight: {}, volume: {}, all_product_tag_ids: {} }

/** A delivery option with the record that an order needs for it. */
export interface QuotedDelivery {
  option: DeliveryOption
  carrierId: number
  productId: number
  unitId: number
}

/** Prices the deliveries of an order. Odoo itself prices one only for an order that it has stored. */
export type DeliveryQuotes = (query: DeliveryOptionsQuery, pricing: Pricing, call: Call) => Promise<QuotedDelivery[]>

export function createDeliveryQuotes(context: OdooContext): DeliveryQuotes {
  const { rpc, countriesAndStates, formatAmount, digits } = context
  const readCarriers = createCarrierReader(context)

  async function readGoods(query: DeliveryOptionsQuery, { products }: Pricing, call: Call): Promise<DeliveredGoods> {
    const bySku = new Map(products.map(({ sku, productId }) => [sku, productId]))
    const domain = [
      ['id', 'in', [...bySku.values()]],
      ['active', 'in', [true, false]],
    ]
    const search = { domain, specification: goodsSpecification }
    const { records } = await rpc.search(Goods, 'product.product', search, call)
    const byId = new Map(records.map((row) => [row.id, row]))
    const lines = query.lines.flatMap(({ sku, quantity }) => {
      const row = byId.get(bySku.get(sku) ?? 0)
      if (!row) return []
      const { weight, volume, type, all_product_tag_ids: tagIds } = row
      return [{ quantity: Number(quantity), weight, volume, isService: type === 'service', tagIds }]
    })
    return { total: Number(query.goods_total), lines }
  }

  /** Returns where an order goes: to the address, or to the customer's own. */
  async function findPlace({ shipping_address }: DeliveryOptionsQuery, { partner }: Pricing, call: Call) {
    if (shipping_address === null) {
      const { country_id, state_id, zip } = partner!
      return { countryId: country_id || undefined, stateId: state_id || undefined, postalCode: toText(zip) }
    }
    const { country, region, postal_code } = shipping_address
    const countryId = await countriesAndStates.findCountry(country, call)
    const stateId =
      countryId === undefined || region === null
        ? undefined
        : await countriesAndStates.findState(countryId, region, call)
    return { countryId, stateId, postalCode: postal_code }
  }

  /** Returns the goods of an order with their taxes, where these are rounded together with the tax of a delivery. */
  async function readTaxedGoods({ lines, codes = [] }: DeliveryOptionsQuery, pricing: Pricing, call: Call) {
    if (!pricing.rounding.isGlobal) return []
    const numbered = lines.map((line, i) => ({ ...line, line_id: String(i) }))
    const quote = await context.quotePromotions({ lines: numbered, codes }, pricing, call)
    const quantities = new Map(numbered.map(({ line_id, quantity }) => [line_id, quantity]))
    const ownLines = quote.lines.map((line) => ({
      ...line,
      unit_price: quote.unitPrices.get(line.line_id) ?? line.unit_price,
    }))
    return toTaxedLines(ownLines, quantities, quote.percents, pricing.products)
  }

  function toQuoted(
    carrier: Carrier,
    goods: DeliveredGoods,
    taxedGoods: readonly TaxedLine[],
    query: DeliveryOptionsQuery,
    pricing: Pricing,
  ) {
    const { product_id: product } = carrier
    const other = pricing.priceOther({ ...product, default_code: '' })
    const { tax } = other
    // One order has prices with tax, or without.
    if (tax === null || tax.isMixed || (tax.isIncluded !== query.tax_included && !isWithoutTax(tax))) return []
    const amount = computePrice(carrier, goods, other)?.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
    if (amount === undefined || (amount.isNegative() && !amount.isZero())) return []
    const option: DeliveryOption = {
      delivery_option_id: String(carrier.id),
      name: carrier.name.slice(0, MAX_NAME_LENGTH),
      description: toText(carrier.carrier_description)?.slice(0, MAX_DESCRIPTION_LENGTH) ?? null,
      fulfillment_method: 'DELIVERY',
      price: formatAmount(amount.toFixed()),
      tax: {
        ...{ code: tax.code, name: tax.name, rate: formatDecimal(tax.rate) },
        ...(!(tax.isRate && !pricing.rounding.isGlobal) && {
          amount: taxOf({ price: amount, quantity: 1, tax }, taxedGoods, pricing.rounding),
        }),
      },
      pickup_places: [],
    }
    return [{ option, carrierId: carrier.id, productId: product.id, unitId: product.uom_id }]
  }

  return async (query, pricing, call) => {
    const carriers = await readCarriers(call)
    if (carriers.length === 0 || query.lines.length === 0) return []
    const [goods, place, taxedGoods]: [DeliveredGoods, DeliveryPlace, TaxedLine[]] = await Promise.all([
      readGoods(query, pricing, call),
      findPlace(query, pricing, call),
      readTaxedGoods(query, pricing, call),
    ])
    return carriers
      .filter((carrier) => isCarrierOffered(carrier, place, goods))
      .flatMap((carrier) => toQuoted(carrier, goods, taxedGoods, query, pricing))
      .slice(0, MAX_DELIVERY_OPTIONS)
  }
}

/** Returns the price of a delivery before rounding; `undefined`: no step applies. */
function computePrice(carrier: Carrier, goods: DeliveredGoods, { price, adapt }: OtherPrice): Decimal | undefined {
  if (isFree(carrier, goods)) return new Decimal(0)
  const own = carrier.delivery_type === 'fixed' ? price : findStepPrice(carrier, goods)
  return own === null ? undefined : addMargins(carrier, adapt(new Decimal(own)))
}

/** Returns what the tax of an order rises by with its delivery. */
function taxOf(delivery: TaxedLine, goods: readonly TaxedLine[], rounding: TaxRounding): string {
  const sum = (lines: readonly TaxedLine[]) => Decimal.sum(0, ...computeCartTaxes(lines, rounding))
  return sum([...goods, delivery])
    .minus(sum(goods))
    .toFixed(rounding.digits)
}
