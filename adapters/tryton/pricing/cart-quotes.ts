import { Decimal } from 'decimal.js'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { PricingPort, Quote, QuotedPromotion, QuoteRequest } from '../../../src/ports/pricing.ts'
import { createAmountFormatter } from '../../decimal-format.ts'
import type { PromotionCodeResult } from './apply-promotion-codes.ts'
import { readContractPrices } from './contract-prices.ts'
import { computeLineDiscount } from './line-discount.ts'
import { parsePartyId } from './parse-party-id.ts'
import type { PriceList } from './price-list-reader.ts'
import type { PricedProductRow, PriceRecordReader } from './price-record-reader.ts'
import type { PriceDelivery, PromotionQuotes, QuotedPromotions } from './promotion-quotes.ts'
import type { PricedCart, PricedCartLine } from './promotion-sale-reader.ts'

/** A quote, with the price of a delivery of its lines. */
export interface QuoteWithDelivery {
  quote: Quote
  priceDelivery: PriceDelivery
}

export interface CartQuotes extends Required<Pick<PricingPort, 'quote'>> {
  quoteWithDelivery(
    request: QuoteRequest,
    deliveryProducts: PricedCart['deliveryProducts'],
    call: Call,
  ): Promise<QuoteWithDelivery>
}

/**
 * Quotes a cart: the customer's own price at the quantity of each SKU, and the discounts that Tryton's promotions will
 * give when the sale is quoted. A line with a promotion that cannot be computed gets no price.
 */
export function connectQuote(
  reader: PriceRecordReader,
  promotions: PromotionQuotes,
  { currency, now }: MerchantFacts,
): CartQuotes {
  const formatAmount = createAmountFormatter(currency)
  const digits = formatAmount('0').split('.')[1]?.length ?? 0

  async function priceLines(
    { lines }: QuoteRequest,
    rows: readonly PricedProductRow[],
    priceList: PriceList | null,
    party: number,
    call: Call,
  ) {
    const bySku = new Map(rows.map((row) => [row.code, row]))
    const quantityOf = ({ code }: PricedProductRow) => sumQuantities(lines.filter(({ sku }) => sku === code))
    const contractPrices = priceList && (await readContractPrices(reader.rpc, party, priceList, rows, quantityOf, call))
    return lines.flatMap((line): PricedCartLine[] => {
      const row = bySku.get(line.sku)
      const price = row && (contractPrices ? contractPrices.get(row.id) : row.list_price!.decimal)
      return row && price !== undefined ? [{ ...line, row, price: formatAmount(price) }] : []
    })
  }

  const quoteWithDelivery: CartQuotes['quoteWithDelivery'] = async (request, deliveryProducts, call) => {
    const { customerId, codes } = request
    const party = parsePartyId(customerId)
    const skus = [...new Set(request.lines.map(({ sku }) => sku))]
    const [rows, priceList, quotedPromotions] = await Promise.all([
      reader.readPricedRows(skus, call),
      reader.readCustomerPriceList(party, call),
      promotions.readPromotions(codes, party, call),
    ])
    const lines = await priceLines(request, rows, priceList, party, call)
    const cart = { customerId, party, list: priceList, lines, deliveryProducts, digits }
    const result = await promotions.applyCodes(quotedPromotions, cart, call)
    const { prices, uncomputableLines } = result.promotedPrices
    const discountedLines = lines.map((line) => {
      const final = prices.get(line.line_id)!
      return { line, promotion: final.promotion, off: computeLineDiscount(line, final.price, digits) }
    })
    const quote: Quote = {
      lines: discountedLines.flatMap(({ line: { line_id, sku, row, price }, off: lineDiscount }) => {
        if (uncomputableLines.has(line_id)) return []
        return {
          line_id,
          sku,
          unit_price: price,
          list_unit_price: formatAmount(row.list_price!.decimal),
          price_type: priceList ? 'CONTRACT' : 'LIST',
          tax_included: false,
          discount: formatAmount(lineDiscount.toFixed()),
        }
      }),
      promotions: toQuotedPromotions(codes, quotedPromotions, result, discountedLines, formatAmount),
      as_of: now().toISOString(),
    }
    return { quote, priceDelivery: result.priceDelivery }
  }

  return {
    quoteWithDelivery,
    quote: async (request, call) => (await quoteWithDelivery(request, [], call)).quote,
  }
}

type DiscountedLines = readonly { promotion: number | null; off: Decimal }[]

function toQuotedPromotions(
  codes: readonly string[],
  { coupons, promotions }: QuotedPromotions,
  result: PromotionCodeResult,
  discountedLines: DiscountedLines,
  formatAmount: (amount: string) => string,
): QuotedPromotion[] {
  return codes.map((typedCode, i) => {
    const coupon = coupons[i]
    const code = coupon?.number ?? typedCode.trim().slice(0, 128)
    const reason = result.reasons[i]!
    if (reason !== null)
      return { code, status: 'NOT_APPLICABLE', reason, description: null, discount: formatAmount('0') }
    const { row } = promotions.find(({ row }) => row.id === coupon!['coupon.'].promotion)!
    const discounts = discountedLines.filter(({ promotion }) => promotion === row.id).map(({ off }) => off)
    const discount = formatAmount(Decimal.sum(0, ...discounts).toFixed())
    return { code, status: 'APPLIED', reason: null, description: row.name, discount }
  })
}

const sumQuantities = (lines: readonly { quantity: string }[]) =>
  Decimal.sum(0, ...lines.map(({ quantity }) => quantity))
