import { intersect, unite } from '../id-set.ts'
import type { ParentCategories, ParentCategoryNames } from '../words/parent-category-names.ts'
import type { WordIndex } from '../words/word-index.ts'
import type { UnitedLists } from './cached-list-unions.ts'
import type { CategoryProducts } from './category-products.ts'

const NONE = new Uint32Array()

export interface CategoryNameParts {
  words: WordIndex
  names: () => ParentCategoryNames
  productsOf: CategoryProducts
  united: UnitedLists
}

/** Returns an index in which the whole name of a category also stands for the products of its subcategories. */
export function withCategoryNames({ words: index, names, productsOf }: CategoryNameParts): WordIndex {
  function findIn(parents: readonly ParentCategories[], words: readonly string[]): Uint32Array {
    const rest = words.filter((word) => !parents.some(({ ownWords }) => ownWords.has(word)))
    const sets = parents.map(({ ids }) => productsOf(ids))
    return intersect(rest.length === 0 ? sets : [...sets, index.findAll(rest)])
  }
  return {
    findAll(words, within) {
      const found = index.findAll(words, within)
      const parents = names().findWhole(words)
      if (parents.length === 0) return found
      const all = parents.length === 1 ? [] : [findIn(parents, words)]
      return unite([found, ...parents.map((parent) => findIn([parent], words)), ...all])
    },
  }
}

/** Returns an index in which any word of a category's name also stands for the products of its subcategories. */
export function withCategoryWords({ words: index, names, productsOf, united }: CategoryNameParts): WordIndex {
  const isName = (word: string) => names().withWord(word).length > 0
  // The words of one text are searched in many combinations.
  const findName = (word: string) => united(word, index.findAll([word]), productsOf(names().withWord(word)))
  return {
    findAll(words) {
      const others = words.filter((word) => !isName(word))
      let found = others.length === 0 ? null : index.findAll(others)
      // The products of a word that many categories have cost more than a search otherwise does.
      for (const word of words.filter(isName)) {
        if (found?.length === 0) break
        found = found === null ? findName(word) : intersect([found, findName(word)])
      }
      return found ?? NONE
    },
  }
}
