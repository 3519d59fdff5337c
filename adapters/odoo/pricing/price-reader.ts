import { Decimal } from 'decimal.js'
import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { chooseSkuRecord } from '../catalog/choose-sku-record.ts'
import { settleAll } from '../client/settle-all.ts'
import { createSharedReader } from '../client/shared-reads.ts'
import type { OdooContext } from '../context.ts'
import type { TaxRounding } from './cart-taxes.ts'
import { chooseFiscalPosition } from './choose-fiscal-position.ts'
import { type PartnerPricing, readPartnerPricing } from './partner-pricing.ts'
import type { PriceLists } from './price-rules.ts'
import { type OtherPrice, type PricedProduct, PricedRow, toOtherPrice, toPricedProduct } from './priced-product.ts'

const PricedRows = responseSchema(Type.Array(PricedRow))
const PRICE_ONLY = { product: false, stock: false, price: true }

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

const noPrice = (): OtherPrice => ({ tax: null, price: new Decimal(0), adapt: (price) => price })
