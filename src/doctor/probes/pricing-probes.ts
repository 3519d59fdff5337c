import type { PricingPort } from '../../ports/pricing.ts'
import {
  defineProbe,
  missingInput,
  type OperationProbe,
  operationNotOffered,
  recentChangesQuery,
} from '../operation-probe.ts'
import { missingCustomer } from './accounting-probes.ts'

const noSku = missingInput('SKU', 'Configure an inventory, or mend its search first')

/** Every read of a pricing system, for SKUs and a customer that others taught. */
export const pricingProbes = (port: PricingPort): OperationProbe[] => [
  defineProbe({
    operation: 'prices',
    prepare: ({ skus }) => (skus.length === 0 ? noSku : (call) => port.prices(skus.slice(0, port.maxSkus), null, call)),
    evaluate: (prices) => (prices.length === 0 ? priceless : null),
  }),
  defineProbe({
    operation: 'prices (of a customer)',
    prepare({ skus, customerId }) {
      if (customerId === undefined) return missingCustomer
      return skus.length === 0 ? noSku : (call) => port.prices(skus.slice(0, port.maxSkus), customerId, call)
    },
    evaluate: (prices) => (prices.length === 0 ? pricelessFor : null),
  }),
  defineProbe({
    operation: 'quote',
    prepare({ skus: [sku], customerId }) {
      if (!port.quote) return operationNotOffered('quote')
      if (customerId === undefined) return missingCustomer
      if (sku === undefined) return noSku
      const lines = [{ line_id: '1', sku, quantity: '1' }]
      return (call) => port.quote!({ customerId, lines, codes: [] }, call)
    },
    evaluate: ({ lines }) => (lines.length === 0 ? pricelessFor : null),
  }),
  defineProbe({
    operation: 'priceChanges',
    prepare: (known) =>
      port.priceChanges
        ? (call) => port.priceChanges!(recentChangesQuery(known), call)
        : operationNotOffered('priceChanges'),
    isBackground: true,
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
