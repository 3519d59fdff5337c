import type { PricingPort } from '../../ports/pricing.ts'
import { noCustomer } from './accounting-probes.ts'
import { absent, type Question, question, recently, unknown } from '../operation-probe.ts'

const noSku = unknown('SKU', 'Configure an inventory, or mend its search first')

/** Every read of a pricing system, for SKUs and a customer that others taught. */
export const pricingQuestions = (port: PricingPort): Question[] => [
  question({
    operation: 'prices',
    ask: ({ skus }) => (skus.length === 0 ? noSku : (call) => port.prices(skus.slice(0, port.maxSkus), null, call)),
    judge: (prices) => (prices.length === 0 ? priceless : null),
  }),
  question({
    operation: 'prices (of a customer)',
    ask({ skus, customerId }) {
      if (customerId === undefined) return noCustomer
      return skus.length === 0 ? noSku : (call) => port.prices(skus.slice(0, port.maxSkus), customerId, call)
    },
    judge: (prices) => (prices.length === 0 ? pricelessFor : null),
  }),
  question({
    operation: 'quote',
    ask({ skus: [sku], customerId }) {
      if (!port.quote) return absent('quote')
      if (customerId === undefined) return noCustomer
      if (sku === undefined) return noSku
      const lines = [{ line_id: '1', sku, quantity: '1' }]
      return (call) => port.quote!({ customerId, lines, codes: [] }, call)
    },
    judge: ({ lines }) => (lines.length === 0 ? pricelessFor : null),
  }),
  question({
    operation: 'priceChanges',
    ask: (known) => (port.priceChanges ? (call) => port.priceChanges!(recently(known), call) : absent('priceChanges')),
    background: true,
  }),
]

const priceless = {
  finding: 'no product has a price',
  remedy: 'Give the products sale prices in the system; see the findings below',
  failed: true,
}
const pricelessFor = {
  finding: 'this customer gets no price',
  remedy: "Look at the customer's price list, and at what it is worked out from",
}
