import type { BoostConfig } from '../../../config/mirror-config.ts'
import type { CategoryHierarchy } from '../facets/category-hierarchy.ts'
import { foldText } from '../words/tokenizer.ts'

/** The amounts by which a merchant's settings raise or lower products in lists by relevance. */
export interface Boosts {
  /** Returns the boost of a product, by the codes of its brand, its categories and its tags. */
  of(brand: number, categoryList: number, tagList: number): number
  /** Reads the categories again. Returns whether products have other boosts now. */
  refresh(): boolean
}

/** The values of products, by their codes. */
export interface BoostedValues {
  brand(code: number): string | null
  categories(code: number): readonly string[]
  tags(code: number): readonly string[]
}

/** The limit of a product's boost, in both directions. */
export const MAX_BOOST = 100

const none: Boosts = { of: () => 0, refresh: () => false }

/** Creates the boosts of a catalog. Each brand, list of categories and list of tags is compared once, not each product. */
export function createBoosts(
  boosts: readonly BoostConfig[],
  values: BoostedValues,
  tree: () => CategoryHierarchy,
): Boosts {
  if (boosts.length === 0) return none
  const [ofBrand, ofTag, ofCategory] = (['brand', 'tag', 'category'] as const).map((name) =>
    boosts.filter(({ field }) => field === name),
  ) as [BoostConfig[], BoostConfig[], BoostConfig[]]
  let categories: CategoryHierarchy | undefined
  /** For each boost of a category, that category with its descendants. */
  let boosted: readonly (readonly string[])[] = []
  const sum = (all: readonly BoostConfig[], matches: (value: string, index: number) => boolean) =>
    all.filter(({ value }, index) => matches(value, index)).reduce((total, { boost }) => total + boost, 0)
  const brandBoost = computeOnce((code) => {
    const brand = foldText(values.brand(code) ?? '')
    return sum(ofBrand, (value) => foldText(value) === brand)
  })
  const tagBoost = computeOnce((code) => sum(ofTag, (value) => values.tags(code).includes(value)))
  const toCategoryBoost = (code: number) =>
    sum(ofCategory, (_, index) => values.categories(code).some((id) => boosted[index]!.includes(id)))
  let categoryBoost = computeOnce(toCategoryBoost)

  return {
    of: (brand, categoryList, tagList) =>
      Math.max(-MAX_BOOST, Math.min(MAX_BOOST, brandBoost(brand) + categoryBoost(categoryList) + tagBoost(tagList))),
    refresh() {
      const current = tree()
      if (current === categories) return false
      categories = current
      const found = ofCategory.map(({ value }) => current.withDescendants([value]))
      if (JSON.stringify(found) === JSON.stringify(boosted)) return false
      boosted = found
      categoryBoost = computeOnce(toCategoryBoost)
      return true
    },
  }
}

function computeOnce(compute: (code: number) => number): (code: number) => number {
  const known: number[] = []
  return (code) => {
    known[code] ??= compute(code)
    return known[code]
  }
}
