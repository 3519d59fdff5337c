import { expect } from 'chai'
import { createCall } from '../../../support/create-call.ts'
import { failureOf } from '../../../support/failure-of.ts'
import { expectDecimal, PRICE } from '../expect-decimal.ts'
import { requirementsOf } from '../requirement.ts'
import { HOSTILE_SKUS, UTC_TIMESTAMP } from './items.ts'

export const priceRequirements = requirementsOf(
  'pricing.prices',
  [
    'returns list prices as decimal strings, one per SKU with a price',
    [],
    async ({ pricing, facts: { skus, unknownSku } }) => {
      const prices = await pricing.prices([unknownSku, ...skus, skus[0], ...HOSTILE_SKUS], null, createCall())
      expect(prices.map(({ sku }) => sku).sort()).to.deep.equal([...skus].sort())
      for (const price of prices) {
        expect(price).to.have.all.keys(
          'sku',
          'amount',
          'price_type',
          'list_amount',
          'tax_included',
          'uom',
          'breaks',
          'as_of',
        )
        expect(price).to.include({ price_type: 'LIST', list_amount: price.amount })
        expectDecimal(price.amount, PRICE)
        expect(price.as_of).to.match(UTC_TIMESTAMP)
      }
    },
  ],
  [
    'never invents a price',
    ['unpricedSku'],
    async ({ pricing, facts: { unpricedSku } }) => {
      expect(await pricing.prices([unpricedSku], null, createCall())).to.deep.equal([])
    },
  ],
  [
    'accepts `maxSkus` SKUs, and none',
    [],
    async ({ pricing, facts: { skus, unknownSku } }) => {
      const many = Array.from({ length: pricing.maxSkus - 1 }, (_, i) => `${unknownSku}-${i}`)
      const prices = await pricing.prices([...many, skus[0]], null, createCall())
      expect(prices.map(({ sku }) => sku)).to.deep.equal([skus[0]])
      expect(await pricing.prices([], null, createCall())).to.deep.equal([])
    },
  ],
  [
    'returns breaks in ascending order, with falling prices',
    ['breaks'],
    async ({ pricing, facts: { breaks } }) => {
      const [price] = await pricing.prices([breaks.sku], breaks.customerId, createCall())
      const steps = [{ min_quantity: '0', amount: price!.amount }, ...price!.breaks]
      expect(steps).to.have.lengthOf.at.least(2)
      for (const [i, { min_quantity, amount }] of steps.slice(1).entries()) {
        for (const decimal of [min_quantity, amount]) expectDecimal(decimal, PRICE)
        expect(Number(min_quantity)).to.be.greaterThan(Number(steps[i]!.min_quantity))
        expect(Number(amount)).to.be.lessThan(Number(steps[i]!.amount))
      }
    },
  ],
  [
    'is per unit of measure of the product',
    ['inventory.items'],
    async ({ pricing, inventory, facts: { skus } }) => {
      const items = await inventory.items(skus, { product: true, stock: false }, createCall())
      for (const { sku, uom } of await pricing.prices(skus, null, createCall()))
        expect(uom, sku).to.equal(items.find((item) => item.sku === sku)!.product!.uom)
    },
  ],
  [
    "returns each customer's own price to parallel callers",
    ['contract'],
    async ({ pricing, facts: { contract, skus } }) => {
      const { sku, customerId, otherId } = contract
      const asked = async (customer: string | null) => {
        const rows = await pricing.prices([...skus, sku], customer, createCall())
        return rows.find((row) => row.sku === sku)!
      }
      const [own, other, list] = [await asked(customerId), await asked(otherId), await asked(null)]
      expect(own).to.include({ price_type: 'CONTRACT', list_amount: list.list_amount })
      expect(list).to.include({ price_type: 'LIST', amount: list.list_amount })
      expectDecimal(own.amount, PRICE)
      expect(new Set([own.amount, list.amount]).size).to.equal(2)
      expect(other.amount).to.not.equal(own.amount)
      const who = Array.from({ length: 12 }, (_, i) => [customerId, otherId, null][i % 3]!)
      const together = await Promise.all(who.map(asked))
      const alone = who.map((_, i) => [own, other, list][i % 3]!.amount)
      expect(together.map(({ amount }) => amount)).to.deep.equal(alone)
    },
  ],
  [
    'never returns list prices for an unknown customer',
    [],
    async ({ pricing, facts: { skus, unknownCustomerId } }) => {
      for (const customer of [unknownCustomerId, 'no such/customer', ''])
        await failureOf(pricing.prices(skus, customer, createCall()))
    },
  ],
)
