import { Decimal } from 'decimal.js'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { PricingPort, Quote, QuotedPromotion } from '../../src/ports/pricing.ts'
import { amountsIn } from '../amount.ts'
import { pricesAt } from './contract-prices.ts'
import { partyId } from './parties.ts'
import type { PriceReader } from './price-reader.ts'

/** What a cart costs: the customer's own price at the quantity of each SKU. Promotions are not read from Tryton: no code is known. */
export function quoting(reader: PriceReader, { currency, now }: MerchantFacts): Required<Pick<PricingPort, 'quote'>> {
  const amount = amountsIn(currency)
  return {
    async quote({ customerId, lines, codes }, call: Call): Promise<Quote> {
      const party = partyId(customerId)
      const skus = [...new Set(lines.map(({ sku }) => sku))]
      const [rows, list] = await Promise.all([reader.rows(skus, call), reader.listOf(party, call)])
      const quantities = new Map(skus.map((sku) => [sku, summed(lines.filter((line) => line.sku === sku))]))
      const own = list && (await pricesAt(reader.rpc, party, list, rows, (row) => quantities.get(row.code)!, call))
      const bySku = new Map(rows.map((row) => [row.code, row]))
      return {
        lines: lines.flatMap(({ line_id, sku }) => {
          const row = bySku.get(sku)
          const price = row && (own ? own.get(row.id) : row.list_price!.decimal)
          if (price === undefined) return []
          return {
            ...{ line_id, sku, unit_price: amount(price), list_unit_price: amount(row!.list_price!.decimal) },
            ...{ price_type: own ? 'CONTRACT' : 'LIST', tax_included: false, discount: amount('0') },
          }
        }),
        promotions: codes.map((code) => unknownCode(code, amount('0'))),
        as_of: now().toISOString(),
      }
    },
  }
}

const summed = (lines: readonly { quantity: string }[]) => Decimal.sum(0, ...lines.map(({ quantity }) => quantity))

const unknownCode = (code: string, discount: string): QuotedPromotion => ({
  ...{ code: code.trim().slice(0, 128), status: 'NOT_APPLICABLE', reason: 'UNKNOWN_CODE', description: null, discount },
})
