import type { PricingPort } from '../../ports/pricing.ts'
import { defineProbe, type OperationProbe } from '../operation-probe.ts'
import { recentChangesQuery } from '../recent-changes-query.ts'
import { missingCustomer, missingInput, operationNotOffered } from '../skipped-probes.ts'

const missingSku = missingInput('SKU', 'Configure an inventory, or fix its search first')

/** A probe for every operation of a pricing port. Earlier probes supply the SKUs and the customer. */
export const pricingProbes = (port: PricingPort): OperationProbe[] => [
  defineProbe({
    operation: 'prices',
    prepare: ({ skus }) =>
      skus.length === 0 ? missingSku : (call) => port.prices(skus.slice(0, port.maxSkus), null, call),
    evaluate: (prices) => (prices.length === 0 ? noPriceFinding : null),
  }),
  defineProbe({
    operation: 'prices (of a customer)',
    prepare({ skus, customerId }) {
      if (customerId === undefined) return missingCustomer
      return skus.length === 0 ? missingSku : (call) => port.prices(skus.slice(0, port.maxSkus), customerId, call)
    },
    evaluate: (prices) => (prices.length === 0 ? noCustomerPriceFinding : null),
  }),
  defineProbe({
    operation: 'quote',
    prepare({ skus: [sku], customerId }) {
      if (!port.quote) return operationNotOffered('quote')
      if (customerId === undefined) return missingCustomer
      if (sku === undefined) return missingSku
      const lines = [{ line_id: '1', sku, quantity: '1' }]
      return (call) => port.quote!({ customerId, lines, codes: [] }, call)
    },
    evaluate: ({ lines }) => (lines.length === 0 ? noCustomerPriceFinding : null),
  }),
  defineProbe({
    operation: 'priceChanges',
    prepare: (inputs) =>
      port.priceChanges
        ? (call) => port.priceChanges!(recentChangesQuery(inputs), call)
        : operationNotOffered('priceChanges'),
    isBackground: true,
  }),
]

const noPriceFinding = {
  finding: 'no product has a price',
  remedy: 'Give the products sale prices in the system; see the findings below',
  failed: true,
}
const noCustomerPriceFinding = {
  finding: 'the customer gets no price',
  remedy: "Check the customer's price list, and the prices that it derives from",
}
