import type { Price } from '../../../../src/ports/pricing.ts'
import { changeMethod, changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'
import { toNumber } from './to-number.ts'

const changePrice = (change: (price: Price) => Price) => changeResult('pricing.prices', (prices) => prices.map(change))

export const priceMutants = mutantsOf(
  'pricing.prices',
  [
    'returns prices as numbers',
    'as decimal strings',
    changePrice((price) => ({
      ...price,
      amount: toNumber(price.amount),
      list_amount: toNumber(price.list_amount),
    })),
  ],
  [
    'prices SKUs without a price at zero',
    'never invents a price',
    changeMethod('pricing.prices', (prices) => async (skus, customer, call) => {
      const [like] = await prices(['BP-1001'], customer, call)
      const known = await prices(skus, customer, call)
      const lost = skus.filter((sku) => !known.some((price) => price.sku === sku))
      return [...known, ...lost.map((sku) => ({ ...like!, sku, amount: '0.00' }))]
    }),
  ],
  [
    'prices one SKU fewer than it promises',
    'accepts `maxSkus`',
    changeMethod(
      'pricing.prices',
      (prices, { pricing }) =>
        (skus, ...more) =>
          prices(skus.slice(0, pricing.maxSkus - 1), ...more),
    ),
  ],
  [
    'returns the largest break first',
    'breaks in ascending order',
    changePrice((price) => ({ ...price, breaks: price.breaks.toReversed() })),
  ],
  [
    'returns breaks as numbers',
    'breaks in ascending order',
    changePrice((price) => ({
      ...price,
      breaks: price.breaks.map(({ min_quantity, amount }) => ({
        min_quantity: toNumber(min_quantity),
        amount: toNumber(amount),
      })),
    })),
  ],
  ['returns the unit of a package', 'per unit of measure', changePrice((price) => ({ ...price, uom: 'box of 12' }))],
  [
    'returns the list price to every customer',
    "customer's own price",
    changeMethod('pricing.prices', (prices) => (skus, _, call) => prices(skus, null, call)),
  ],
  [
    'caches a price without the customer in its key',
    'to parallel callers',
    changeMethod('pricing.prices', (prices) => {
      const kept = new Map<string, Price[]>()
      return async (skus, customer, call) => {
        const held = kept.get(skus.join()) ?? (await prices(skus, customer, call))
        kept.set(skus.join(), held)
        return held
      }
    }),
  ],
  [
    'returns list prices to customers that the system does not know',
    'for an unknown customer',
    changeMethod(
      'pricing.prices',
      (prices) => (skus, customer, call) => prices(skus, customer, call).catch(() => prices(skus, null, call)),
    ),
  ],
)
