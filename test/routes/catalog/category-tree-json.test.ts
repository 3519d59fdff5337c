import { expect } from 'chai'
import type { Category } from '../../../src/ports/inventory.ts'
import { categoryTreeJson } from '../../../src/routes/catalog/category-tree-json.ts'

const toCategory = (number: number, parent: number | null, position = number): Category => ({
  category_id: `c-${number}`,
  name: `Category ${number}`,
  slug: `category-${number}`,
  parent_id: parent === null ? null : `c-${parent}`,
  position,
  product_count: null,
})

describe('the JSON of a category tree', () => {
  it('nests categories by their position; one without a parent is a root, and one that is its own ancestor is left out', async () => {
    const flat = [toCategory(1, null, 2), toCategory(2, 1), toCategory(3, 9, 1), toCategory(4, 5), toCategory(5, 4)]
    const [root, , orphan] = flat
    expect(JSON.parse(await categoryTreeJson(flat))).to.deep.equal([
      { ...orphan, parent_id: null, depth: 0, children: [] },
      { ...root, depth: 0, children: [{ ...flat[1], depth: 1, children: [] }] },
    ])
  })

  it('is made once for a list', async () => {
    const flat = [toCategory(1, null)]
    expect(categoryTreeJson(flat)).to.equal(categoryTreeJson(flat))
    expect(categoryTreeJson([...flat])).to.not.equal(categoryTreeJson(flat))
  })

  it('is made of many categories in several turns of the event loop', async () => {
    const flat = Array.from({ length: 20_000 }, (_, number) => toCategory(number, number % 100 === 0 ? null : 0))
    let turns = 0
    const count = () => {
      turns += 1
      immediate = setImmediate(count)
    }
    let immediate = setImmediate(count)
    const tree = JSON.parse(await categoryTreeJson(flat)) as { children: object[] }[]
    clearImmediate(immediate)
    // 1,000 categories in a turn; before them they are grouped, and after them the text is joined and sent.
    expect([tree.length, tree[0]!.children.length, turns]).to.deep.equal([200, 19_800, 23])
  })
})
