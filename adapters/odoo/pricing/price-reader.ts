import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { chooseSkuRecord } from '../catalog/choose-sku-record.ts'
import { OdooId, OdooIds, OdooLink } from '../client/odoo-values.ts'
import { settleAll } from '../client/settle-all.ts'
import { createSharedReader } from '../client/shared-reads.ts'
import type { OdooContext } from '../context.ts'
import { adaptPriceToTaxes } from './adapt-price-to-taxes.ts'
import type { TaxRounding } from './cart-taxes.ts'
import { chooseFiscalPosition } from './choose-fiscal-position.ts'
import { type CombinedTax, combineTaxes } from './combined-tax.ts'
import { type FiscalPosition, mapTaxes } from './fiscal-position.ts'
import { type PartnerPricing, readPartnerPricing } from './partner-pricing.ts'
import { computePrice, findBreaks, type PriceLists, type RuledPrice, type RuledProduct } from './price-rules.ts'
import type { TaxTables } from './tax-tables.ts'

export const PricedRow = Type.Object({
  id: OdooId,
  default_code: Type.String(),
  active: Type.Boolean(),
  sale_ok: Type.Boolean(),
  lst_price: Type.Number(),
  standard_price: Type.Number(),
  product_tmpl_id: OdooId,
  categ_id: OdooLink,
  uom_id: OdooId,
  taxes_id: OdooIds,
})
export type PricedRow = Static<typeof PricedRow>
const PricedRows = responseSchema(Type.Array(PricedRow))
const PRICE_ONLY = { product: false, stock: false, price: true }

/** A product with its prices and taxes for one customer, or for an anonymous shopper. */
export interface PricedProduct {
  sku: string
  productId: number
  unitId: number
  isOnSale: boolean
  tax: CombinedTax | null
  /** The price of one base unit for anonymous shoppers, in the format of amounts; `null` without one. */
  listPrice: string | null
  /** Returns the customer's price at a quantity, and whether a rule of their price list gave it. */
  priceAt(quantity: Decimal.Value): { amount: string; isRuled: boolean } | null
  /** Quantities at which the price may change, in ascending order. */
  breaks: number[]
}

/** The products, the customer's fiscal position and price list. */
export interface Pricing {
  products: PricedProduct[]
  /** `null` for an anonymous shopper. */
  partner: PartnerPricing | null
  positionId: number | null
  priceListId: number | null
  rounding: TaxRounding
  /** Prices another product for the same customer, such as the one of a delivery. */
  priceOther(row: PricedRow): OtherPrice
}

/** The price of one unit for a customer, with taxes that are not adapted yet, and unrounded. */
export interface OtherPrice {
  tax: CombinedTax | null
  /** `null` without one. */
  price: Decimal | null
  /** Adapts a price of the product to the taxes of the customer. */
  adapt(price: Decimal): Decimal
}

export type PriceReader = (skus: readonly string[], customerId: string | null, call: Call) => Promise<Pricing>

/** Returns a reader of prices and taxes. Price lists are applied here, because Odoo prices one product per call. */
export function createPriceReader(context: Omit<OdooContext, 'readPricing' | 'quotePromotions'>): PriceReader {
  const { rpc, facts, nowMs, priceLists } = context

  async function readRows(skus: readonly string[], call: Call): Promise<PricedRow[]> {
    const records = PricedRows.parse(await context.skuRows.read(skus, PRICE_ONLY, call))
    return [...Map.groupBy(records, (row) => row.default_code).values()].map((rows) => chooseSkuRecord(rows))
  }
  const readPartner = createSharedReader((call, customerId: string) => readPartnerPricing(rpc, customerId, call))

  /** Returns the list of the website, and the rules of all lists. Without that list, an anonymous shopper needs no rules. */
  async function readWebsiteLists(isAnonymous: boolean, call: Call): Promise<[number | null, PriceLists | null]> {
    if (!isAnonymous) return settleAll([context.readWebsitePriceList(call), priceLists.read(call)] as const)
    const id = await context.readWebsitePriceList(call)
    return [id, id === null ? null : await priceLists.readForVisitors(call)]
  }

  return async (skus, customerId, call) => {
    const digits = context.digits
    if (skus.length === 0 && customerId === null) {
      const rounding = { isGlobal: false, digits }
      return { products: [], partner: null, positionId: null, priceListId: null, rounding, priceOther: noPrice }
    }
    const [rows, partner, [websiteListId, lists], tables, company] = await settleAll([
      readRows([...new Set(skus)], call),
      customerId === null ? null : readPartner(call, customerId),
      readWebsiteLists(customerId === null, call),
      context.readTaxTables(call),
      context.readCompany(call),
    ] as const)
    const priceListId = partner === null ? websiteListId : priceListOf(partner, facts.currency)
    const position = partner === null ? null : chooseFiscalPosition(partner, tables)
    const at = nowMs()
    const source = {
      lists,
      websiteListId,
      priceListId,
      position,
      tables,
      at,
      formatAmount: context.formatAmount,
      digits,
    }
    return {
      products: rows.map((row) => toPricedProduct(row, source)),
      partner,
      positionId: position?.id ?? null,
      priceListId,
      rounding: { isGlobal: company.roundsGlobally, digits },
      priceOther: (row) => toOtherPrice(row, source),
    }
  }
}

function priceListOf({ property_product_pricelist: list }: PartnerPricing, currency: string): number | null {
  if (!list) return null
  if (list.currency_id.name === currency) return list.id
  throw new UpstreamError('not_configured', `the customer's price list in Odoo is not in ${currency}`)
}

interface PriceSource {
  lists: PriceLists | null
  websiteListId: number | null
  priceListId: number | null
  position: FiscalPosition | null
  tables: TaxTables
  at: number
  formatAmount(value: string): string
  digits: number
}

function toOtherPrice(row: PricedRow, source: PriceSource): OtherPrice {
  const { lists, priceListId, tables, at } = source
  const product = toRuledProduct(row, tables)
  const { ownTax, tax } = combineBoth(row, source)
  const isRuled = lists !== null && priceListId !== null
  return {
    tax,
    price: isRuled
      ? computePrice(lists, priceListId, product, new Decimal(1), at).price
      : new Decimal(product.listPrice),
    adapt: (price) => (ownTax && tax ? adaptPriceToTaxes(price, ownTax, tax) : price),
  }
}

const noPrice = (): OtherPrice => ({ tax: null, price: new Decimal(0), adapt: (price) => price })

const toRuledProduct = (row: PricedRow, tables: TaxTables): RuledProduct => ({
  id: row.id,
  templateId: row.product_tmpl_id,
  categoryIds: (row.categ_id && tables.categoryPaths.get(row.categ_id)) || new Set(),
  listPrice: withoutNoise(row.lst_price),
  cost: withoutNoise(row.standard_price),
})

/** Returns the taxes of a product, and those that the customer pays. */
const combineBoth = ({ taxes_id }: PricedRow, { position, tables }: PriceSource) => ({
  ownTax: combineTaxes(taxes_id, tables.taxes),
  tax: combineTaxes(mapTaxes(taxes_id, position), tables.taxes),
})

function toPricedProduct(row: PricedRow, source: PriceSource): PricedProduct {
  const { lists, priceListId, tables, at } = source
  const product = toRuledProduct(row, tables)
  const { ownTax, tax } = combineBoth(row, source)
  const format = (price: Decimal) => {
    const adapted = ownTax && tax ? adaptPriceToTaxes(price, ownTax, tax) : price
    return source.formatAmount(adapted.toDecimalPlaces(source.digits, Decimal.ROUND_HALF_UP).toFixed())
  }
  const priceBy = (listId: number | null, quantity: Decimal.Value): RuledPrice =>
    lists === null || listId === null
      ? { price: new Decimal(product.listPrice), isRuled: false }
      : computePrice(lists, listId, product, new Decimal(quantity), at)
  // Odoo gives goods without a price the price 0, so 0 counts as no price.
  const { price: listPrice } = priceBy(source.websiteListId, 1)
  return {
    sku: row.default_code,
    productId: row.id,
    unitId: row.uom_id,
    isOnSale: row.active && row.sale_ok,
    tax,
    listPrice: listPrice?.gt(0) ? format(listPrice) : null,
    priceAt(quantity) {
      const { price, isRuled } = priceBy(priceListId, quantity)
      return price?.gt(0) ? { amount: format(price), isRuled } : null
    },
    breaks: lists === null || priceListId === null ? [] : findBreaks(lists, priceListId, product, at),
  }
}

/** Odoo adds prices as binary numbers: 76.14999999999999 is 76.15. */
const withoutNoise = (value: number): number => new Decimal(value).toDecimalPlaces(6).toNumber()
