import type { PricingPort, Quote, QuotedLine, QuotedPromotion } from '../../../../src/ports/pricing.ts'
import { both, changeMethod, changePort, changeResult, type Mutate } from './change-port.ts'
import { mutantsOf } from './mutant.ts'
import { toNumber } from './to-number.ts'

const changeLines = (change: (line: QuotedLine) => QuotedLine) =>
  changeResult('pricing.quote', (quote) => ({ ...quote, lines: quote.lines.map(change) }))

/** An adapter whose promotions are an operation of their own. */
const withPromotions: Mutate = (ports) => {
  const { quote } = ports.pricing
  const promotions: PricingPort['promotions'] = async (request, _, call) => {
    const { as_of: __, ...applied } = await quote(request, call)
    return applied
  }
  return changePort('pricing', { promotions })(ports)
}

export const quoteMutants = mutantsOf(
  'pricing.quote',
  [
    'quotes every line at the list price',
    "customer's own prices",
    changeLines((line) => ({ ...line, unit_price: line.list_unit_price, price_type: 'LIST' })),
  ],
  ['promises taxes and quotes none', 'has the taxes', changePort('pricing', { quotesTaxes: true })],
  [
    'lowers the unit price for a promotion',
    'by discounts alone',
    both(
      withPromotions,
      changeResult('pricing.promotions', (applied) => ({
        ...applied,
        lines: applied.lines.map((line) => ({ ...line, unit_price: '1.00' })),
      })),
    ),
    { setting: { complete: withPromotions } },
  ],
  [
    'quotes a SKU without a price at zero',
    'without a price',
    changeResult('pricing.quote', (quote, { lines }) => {
      const unknown = lines.filter(({ line_id }) => !quote.lines.some((line) => line.line_id === line_id))
      const price = { unit_price: '0.00', list_unit_price: '0.00', price_type: 'LIST', tax_included: false } as const
      const added = unknown.map(({ line_id, sku }) => ({ line_id, sku, ...price, discount: '0.00' }))
      return { ...quote, lines: [...quote.lines, ...added] }
    }),
  ],
  [
    'applies a break only above its quantity',
    'below, at and above',
    changeMethod('pricing.quote', (quote) => (request, call) => {
      const lines = request.lines.map((line) => ({ ...line, quantity: String(Number(line.quantity) - 0.01) }))
      return quote({ ...request, lines }, call)
    }),
  ],
  [
    'uses the quantity of each line alone',
    'summed quantity',
    changeMethod('pricing.quote', (quote) => async (request, call) => {
      const quotes = await Promise.all(request.lines.map((line) => quote({ ...request, lines: [line] }, call)))
      return { ...quotes[0]!, lines: quotes.flatMap(({ lines }) => lines) }
    }),
  ],
  [
    'shares the quote of equal carts, whoever asks',
    'also in parallel',
    changeMethod('pricing.quote', (quote) => {
      const running = new Map<string, Promise<Quote>>()
      return (request, call) => {
        const key = JSON.stringify(request.lines)
        const shared = running.get(key) ?? quote(request, call).finally(() => running.delete(key))
        running.set(key, shared)
        return shared
      }
    }),
  ],
  [
    'quotes prices as numbers',
    'also in parallel',
    changeLines((line) => ({ ...line, unit_price: toNumber(line.unit_price) })),
  ],
  [
    'knows a code only in the spelling of the system',
    'per code in any case',
    changeResult('pricing.quote', (quote, { codes }) => ({
      ...quote,
      promotions: quote.promotions.map(
        (promotion, i): QuotedPromotion =>
          promotion.code === codes[i]
            ? promotion
            : { ...promotion, status: 'NOT_APPLICABLE', reason: 'UNKNOWN_CODE', discount: '0.00' },
      ),
    })),
  ],
  [
    'quotes the prices of another customer to customers that the system does not know',
    'for an unknown customer',
    changeMethod(
      'pricing.quote',
      (quote) => (request, call) => quote(request, call).catch(() => quote({ ...request, customerId: 'C-1009' }, call)),
    ),
  ],
)
