import { expect } from 'chai'
import { createCall } from '../../../support/create-call.ts'
import { BOTH_ITEM_PARTS } from '../both-item-parts.ts'
import { readEveryPage } from '../read-every-page.ts'
import { requirements } from '../requirement.ts'

/** A back office may hold several records of one SKU: the active one counts, then the oldest, and always the same one. */
export const duplicateRequirements = requirements(
  'SKUs with several records',
  [
    'are returned once, from the record that counts, by every read',
    ['inventory.items', 'inventory.search', 'duplicateSkus'],
    async ({ inventory, connect, facts: { duplicateSkus, skus } }) => {
      const asked = duplicateSkus.map(({ sku }) => sku)
      const whole = await inventory.items(asked, BOTH_ITEM_PARTS, createCall())
      expect(whole.map(({ sku, product }) => [sku, product!.name])).to.have.deep.members(
        duplicateSkus.map(({ sku, name }) => [sku, name]),
      )
      await using anew = connect()
      expect(await anew.inventory.items([...asked, ...asked], BOTH_ITEM_PARTS, createCall())).to.deep.equal(whole)
      for (const item of whole) {
        expect(await inventory.items([skus[0], item.sku], BOTH_ITEM_PARTS, createCall())).to.deep.include(item)
        const { items } = await inventory.search({ q: item.sku, limit: 200, offset: 0 }, BOTH_ITEM_PARTS, createCall())
        expect(items.filter(({ sku }) => sku === item.sku)).to.deep.equal(item.product!.active ? [item] : [])
      }
    },
  ],
  [
    'appear once among the changes',
    ['inventory.search', 'duplicateSkus'],
    async ({ inventory, facts: { duplicateSkus } }) => {
      const all = await readEveryPage((page) =>
        inventory.search({ ...page, updated_since: '2000-01-01T00:00:00.000Z' }, BOTH_ITEM_PARTS, createCall()),
      )
      for (const { sku, name } of duplicateSkus)
        expect(all.flatMap((item) => (item.sku === sku ? [item.product!.name] : []))).to.deep.equal([name])
    },
  ],
  [
    'have one price and one tax, from the same record',
    ['pricing.prices', 'accounting.taxes', 'duplicateSkus'],
    async ({ pricing, accounting, facts: { duplicateSkus } }) => {
      for (const { sku, amount } of duplicateSkus) {
        if (amount === undefined) continue
        const prices = await pricing.prices([sku, sku], null, createCall())
        expect(prices.map((price) => [price.sku, price.amount])).to.deep.equal([[sku, amount]])
        expect((await accounting.taxes([sku, sku], null, createCall())).map((tax) => tax.sku)).to.deep.equal([sku])
      }
    },
  ],
)
