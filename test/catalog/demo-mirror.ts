import { categories } from '../../fixtures/categories.ts'
import { generateProducts } from '../../fixtures/products.ts'
import { vehicles } from '../../fixtures/vehicles.ts'
import { demoSynonyms } from '../../src/cli/demo/demo-config.ts'
import { toRow } from './mirror-rows.ts'
import { openTestMirror, type TestMirror } from './test-mirror.ts'

/** A mirror of the demo's catalog. */
export function openDemoMirror(): TestMirror {
  const mirror = openTestMirror({ reuseMs: 0, suggestReuseMs: 0, synonyms: demoSynonyms })
  const byId = new Map(categories.map((category) => [category.category_id, category]))
  const rows = generateProducts().map((product) => {
    const { sku, name, slug, description, brand, mpn, barcode, active, universal, fitments } = product
    return toRow(sku, {
      product: {
        name,
        slug,
        description,
        brand,
        mpn,
        barcode,
        active,
        tags: product.tags,
        categories: product.category_ids.map((id) => toListed(byId.get(id)!)),
      },
      vehicles: fitments.flatMap(({ vehicle_ids }) => vehicle_ids),
      universal,
      listPrice: String(product.type.price),
    })
  })
  mirror.write(rows, {
    categories: categories.map((category) => ({ ...category, product_count: null })),
    vehicles,
  })
  return mirror
}

const toListed = ({ category_id, name, slug }: (typeof categories)[number]) => ({ category_id, name, slug })
