import { expect } from 'chai'
import { createCall } from '../../../support/create-call.ts'
import { BOTH_ITEM_PARTS } from '../both-item-parts.ts'
import { readEveryPage } from '../read-every-page.ts'
import { requirements } from '../requirement.ts'

export const categoryAndTagRequirements = requirements(
  'inventory.categories and tags',
  [
    'are returned once each, and every parent exists',
    ['inventory.categories'],
    async ({ inventory }) => {
      const categories = await inventory.categories(createCall())
      const ids = new Set(categories.map(({ category_id }) => category_id))
      expect(ids.size).to.equal(categories.length)
      expect(new Set(categories.map(({ slug }) => slug)).size).to.equal(categories.length)
      for (const category of categories) {
        expect(category).to.have.all.keys('category_id', 'name', 'slug', 'parent_id', 'position', 'product_count')
        if (category.parent_id !== null) expect(ids.has(category.parent_id), category.name).to.equal(true)
      }
    },
  ],
  [
    'count the products that a search for the tag finds, or null',
    ['inventory.tags', 'inventory.search', 'tag'],
    async ({ inventory, facts }) => {
      const tags = await inventory.tags(createCall())
      expect(new Set(tags.map(({ tag }) => tag)).size).to.equal(tags.length)
      for (const tag of tags) expect(tag).to.have.all.keys('tag', 'name', 'count')
      const { tag, count } = tags.find((one) => one.tag === facts.tag.tag)!
      const tagged = await readEveryPage((page) => inventory.search({ ...page, tag }, BOTH_ITEM_PARTS, createCall()))
      if (count !== null) expect(count).to.equal(tagged.length)
    },
  ],
)
