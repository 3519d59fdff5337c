import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import { OdooId, OdooIds, OdooLink } from '../client/odoo-values.ts'
import { adaptPriceToTaxes } from './adapt-price-to-taxes.ts'
import { type CombinedTax, combineTaxes } from './combined-tax.ts'
import { type FiscalPosition, mapTaxes } from './fiscal-position.ts'
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

/** The price of one unit for a customer, with taxes that are not adapted yet, and unrounded. */
export interface OtherPrice {
  tax: CombinedTax | null
  /** `null` without one. */
  price: Decimal | null
  /** Adapts a price of the product to the taxes of the customer. */
  adapt(price: Decimal): Decimal
}

/** The values that prices depend on in addition to the product. */
export interface PriceSource {
  lists: PriceLists | null
  websiteListId: number | null
  priceListId: number | null
  position: FiscalPosition | null
  tables: TaxTables
  at: number
  formatAmount(value: string): string
  digits: number
}

/** Returns the price of a product that is not in the list, such as the one of a delivery. */
export function toOtherPrice(row: PricedRow, source: PriceSource): OtherPrice {
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

export function toPricedProduct(row: PricedRow, source: PriceSource): PricedProduct {
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
