import { expect } from 'chai'
import { createUnitedLists } from '../../../src/catalog/search/match/cached-list-unions.ts'
import { withCategoryWords } from '../../../src/catalog/search/match/with-category-names.ts'
import type { ParentCategoryNames } from '../../../src/catalog/search/words/parent-category-names.ts'

const names: ParentCategoryNames = {
  findWhole: () => [],
  withWord: (word) => (word === 'brake' ? ['brakes'] : []),
  words: ['brake'],
}
const NONE = new Uint32Array()

describe('the products of a word of a category’s name', () => {
  function open() {
    const lists = { ofWord: Uint32Array.of(1, 2), ofCategory: Uint32Array.of(2, 3), read: 0 }
    const words = withCategoryWords({
      words: { findAll: (all) => (all.includes('unknown') ? NONE : lists.ofWord) },
      names: () => names,
      productsOf: () => {
        lists.read += 1
        return lists.ofCategory
      },
      united: createUnitedLists(10_000),
    })
    return { lists, find: (others: string[] = []) => words.findAll([...others, 'brake']) }
  }

  it('are listed once for the many combinations of the words of a text', () => {
    const { find } = open()
    expect(find()).to.equal(find())
    expect([...find()]).to.deep.equal([1, 2, 3])
  })

  it('are listed again when the products of the word or of the category have changed', () => {
    const { lists, find } = open()
    find()
    lists.ofWord = Uint32Array.of(1, 5)
    expect([...find()]).to.deep.equal([1, 2, 3, 5])
    lists.ofCategory = Uint32Array.of(4)
    expect([...find()]).to.deep.equal([1, 4, 5])
  })

  it('are not read when no product has the other words', () => {
    const { lists, find } = open()
    expect([find(['unknown']).length, lists.read]).to.deep.equal([0, 0])
  })
})
