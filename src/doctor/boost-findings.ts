import { foldText } from '../catalog/search/words/tokenizer.ts'
import type { MerchantConfig } from '../config/merchant-config.ts'
import type { BoostConfig } from '../config/mirror-config.ts'
import type { CatalogSample } from './catalog-sample.ts'
import type { SystemFinding } from './diagnosis.ts'
import type { ProbeInputs } from './operation-probe.ts'

type Catalog = Pick<CatalogSample, 'products'> & Pick<ProbeInputs, 'categories' | 'tags'>

/** Finds boosts that change nothing, because the inventory has no such category or tag, or no sampled product is of the brand. */
export const boostFindings = ({ merchant, mirror }: MerchantConfig, catalog: Catalog): SystemFinding[] =>
  (mirror?.boosts ?? []).flatMap((boost, index) => {
    const found = findMissingValue(boost, catalog)
    if (!found) return []
    const { problem, ...rest } = found
    const path = `merchants.${merchant}.mirror.boosts.${index}`
    const finding = `${path} boosts the ${boost.field} "${boost.value}": ${problem}`
    return [{ check: 'boost', systems: ['inventory'], ...rest, finding }]
  })

type MissingValue = Pick<SystemFinding, 'severity' | 'remedy'> & { problem: string }

function findMissingValue({ field, value }: BoostConfig, { products, categories, tags }: Catalog): MissingValue | null {
  if (field === 'category') {
    if (!categories || categories.some((one) => one.category_id === value || one.slug === value)) return null
    return toWarning('the inventory has no such category', 'Give the id or the slug of a category')
  }
  if (field === 'tag') {
    if (!tags || tags.some(({ tag }) => tag === value)) return null
    return toWarning('the inventory has no such tag', 'Give a tag as GET /v1/tags lists it')
  }
  const isOfBrand = (brand: string | null | undefined) => brand != null && foldText(brand) === foldText(value)
  if (products.length === 0 || products.some(({ product }) => isOfBrand(product?.brand))) return null
  const problem = `none of ${products.length} sampled products is of this brand`
  return { severity: 'note', problem, remedy: 'Check its spelling, or sample all products: --sample all' }
}

const toWarning = (problem: string, remedy: string): MissingValue => ({ severity: 'warning', problem, remedy })
