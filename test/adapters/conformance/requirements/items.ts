import { expect } from 'chai'
import type { InventoryItem } from '../../../../src/ports/inventory.ts'
import { MAX_BRANCHES, MAX_VARIANT_OPTIONS } from '../../../../src/ports/inventory.ts'
import { createCall } from '../../../support/create-call.ts'
import { BOTH_ITEM_PARTS } from '../both-item-parts.ts'
import { expectDecimal } from '../expect-decimal.ts'
import { requirementsOf } from '../requirement.ts'

export const UTC_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
export const skusOf = (items: readonly InventoryItem[]) => items.map(({ sku }) => sku)
/** None of these is a SKU, and each has a meaning in the query language of some system. */
export const HOSTILE_SKUS = ['%', '_', '*', '..', "' or 1=1 --", 'a/b?c#d', '{}', 'x'.repeat(100)]

export const itemRequirements = requirementsOf(
  'inventory.items',
  [
    'returns known SKUs once each, and leaves out unknown ones',
    [],
    async ({ inventory, facts: { skus, unknownSku } }) => {
      const items = await inventory.items(
        [unknownSku, ...skus, skus[0], unknownSku, skus[0]],
        BOTH_ITEM_PARTS,
        createCall(),
      )
      expect(skusOf(items).sort()).to.deep.equal([...skus].sort())
      for (const none of HOSTILE_SKUS)
        expect(await inventory.items([none], BOTH_ITEM_PARTS, createCall()), none).to.deep.equal([])
    },
  ],
  [
    'finds SKUs with special characters',
    ['awkwardSkus'],
    async ({ inventory, facts: { awkwardSkus } }) => {
      const items = await inventory.items(awkwardSkus, BOTH_ITEM_PARTS, createCall())
      expect(skusOf(items).sort()).to.deep.equal([...awkwardSkus].sort())
    },
  ],
  [
    'returns the requested parts, and no others',
    [],
    async ({ inventory, facts: { skus } }) => {
      for (const parts of [BOTH_ITEM_PARTS, { product: true, stock: false }, { product: false, stock: true }]) {
        const asked = Object.entries(parts).flatMap(([part, wanted]) => (wanted ? [part] : []))
        for (const item of await inventory.items(skus, parts, createCall()))
          expect(Object.keys(item).sort()).to.deep.equal(['sku', ...asked].sort())
      }
    },
  ],
  [
    'returns complete products without extra members',
    [],
    async ({ inventory, facts: { skus } }) => {
      for (const { sku, product } of await inventory.items(skus, BOTH_ITEM_PARTS, createCall())) {
        const { variant_of, options, ...always } = product!
        expect(variant_of === undefined, 'options without a parent, or a parent without').to.equal(
          options === undefined,
        )
        expect(always).to.have.all.keys(
          'sku',
          'name',
          'slug',
          'description',
          'brand',
          'mpn',
          'barcode',
          'media',
          'categories',
          'tags',
          'uom',
          'order_uoms',
          'active',
          'updated_at',
        )
        expect(product).to.include({ sku, active: true })
        expect(product!.updated_at).to.match(UTC_TIMESTAMP)
        for (const text of [product!.name, product!.slug, product!.uom]) expect(text).to.not.equal('')
        for (const { factor, min, increment } of product!.order_uoms)
          for (const decimal of [factor, min, increment]) {
            expectDecimal(decimal, /^\d+(\.\d+)?$/)
            expect(Number(decimal), decimal).to.be.greaterThan(0)
          }
        for (const { thumb_url, large_url } of product!.media ?? [])
          for (const url of [thumb_url, large_url]) expect(url).to.match(/^https?:\/\//)
      }
    },
  ],
  [
    'says what variants have in common, and what distinguishes each',
    ['variants'],
    async ({ inventory, facts: { variants, skus } }) => {
      const items = await inventory.items([...variants, skus[0]], BOTH_ITEM_PARTS, createCall())
      const products = new Map(items.map(({ sku, product }) => [sku, product!]))
      const found = variants.map((sku) => products.get(sku)!)
      const [first] = found
      expect(first!.variant_of!.parent_id.length).to.be.within(1, 128)
      expect(first!.variant_of!.name.trim()).to.not.equal('')
      for (const { variant_of } of found) expect(variant_of).to.deep.equal(first!.variant_of)
      const names = found.map(({ options }) => options!.map(({ name }) => name))
      for (const own of names) expect(own).to.have.length.within(1, MAX_VARIANT_OPTIONS).and.deep.equal(names[0])
      expect(new Set(found.map(({ options }) => JSON.stringify(options))).size).to.equal(variants.length)
      expect(products.get(skus[0])).to.not.have.property('variant_of')
    },
  ],
  [
    'returns stock as a number with its receipts, or null',
    [],
    async ({ inventory, facts: { skus } }) => {
      for (const { stock } of await inventory.items(skus, BOTH_ITEM_PARTS, createCall())) {
        if (stock === null) continue
        const { untracked, sell_when_out, expected_on, branches: _, ...counted } = stock!
        expect(counted).to.have.all.keys('available', 'expected')
        for (const flag of [untracked, sell_when_out]) expect(flag).to.be.oneOf([undefined, true, false])
        if (expected_on !== undefined) expect(expected_on).to.match(/^\d{4}-\d\d-\d\d$/)
        expect(stock!.available).to.satisfy(Number.isFinite)
      }
    },
  ],
  [
    'says what nobody counts',
    ['untrackedSku'],
    async ({ inventory, facts: { skus, untrackedSku } }) => {
      const items = await inventory.items([untrackedSku, skus[0]], BOTH_ITEM_PARTS, createCall())
      const untracked = items.filter(({ stock }) => stock?.untracked)
      expect(skusOf(untracked)).to.deep.equal([untrackedSku])
    },
  ],
  [
    'says what may be ordered while it is out of stock, and what may not',
    ['backorderPolicy'],
    async ({ inventory, facts: { backorderPolicy } }) => {
      const { soldSku, keptSku } = backorderPolicy
      const items = await inventory.items([soldSku, keptSku], BOTH_ITEM_PARTS, createCall())
      const policies = new Map(items.map(({ sku, stock }) => [sku, stock?.sell_when_out]))
      expect([policies.get(soldSku), policies.get(keptSku)]).to.deep.equal([true, false])
    },
  ],
  [
    'names each branch once, in the same order for every SKU, with its own stock',
    ['branchSku'],
    async ({ inventory, facts: { branchSku, skus } }) => {
      const read = async (asked: string[]) =>
        (await inventory.items(asked, BOTH_ITEM_PARTS, createCall())).find(({ sku }) => sku === branchSku)!.stock!
          .branches!
      const branches = await read([branchSku])
      expect(branches.length).to.be.within(2, MAX_BRANCHES)
      expect(new Set(branches.map(({ branch_id }) => branch_id)).size).to.equal(branches.length)
      for (const { branch_id, name, available } of branches) {
        expect(branch_id.length).to.be.within(1, 128)
        expect(name.trim()).to.not.equal('')
        expect(available).to.satisfy(Number.isFinite)
      }
      expect(new Set(branches.map(({ available }) => available)).size, 'their own stock').to.be.greaterThan(1)
      expect(await read([skus[0], branchSku])).to.deep.equal(branches)
    },
  ],
  [
    'returns open receipts with date and quantity',
    ['expectedSku'],
    async ({ inventory, facts: { expectedSku } }) => {
      const [coming] = await inventory.items([expectedSku], BOTH_ITEM_PARTS, createCall())
      expect(coming!.stock!.expected).to.have.lengthOf.at.least(1)
      for (const { date, quantity } of coming!.stock!.expected) {
        expect(date).to.match(/^\d{4}-\d\d-\d\d$/)
        expect(quantity).to.be.greaterThan(0)
      }
    },
  ],
  [
    'returns deactivated products as inactive',
    ['deactivatedSku'],
    async ({ inventory, facts: { deactivatedSku } }) => {
      const [item] = await inventory.items([deactivatedSku], BOTH_ITEM_PARTS, createCall())
      expect(item?.product).to.include({ sku: deactivatedSku, active: false })
    },
  ],
  [
    'accepts `maxSkus` SKUs, and none',
    [],
    async ({ inventory, facts: { skus, unknownSku } }) => {
      const many = Array.from({ length: inventory.maxSkus - 1 }, (_, i) => `${unknownSku}-${i}`)
      expect(skusOf(await inventory.items([...many, skus[0]], BOTH_ITEM_PARTS, createCall()))).to.deep.equal([skus[0]])
      expect(await inventory.items([], BOTH_ITEM_PARTS, createCall())).to.deep.equal([])
      expect(inventory.watermarkOverlapSeconds).to.be.at.least(0)
    },
  ],
)
