import { knownSkus } from '../../../../fixtures/known-skus.ts'
import { listPriceOf } from '../../../../fixtures/prices.ts'
import { generateProducts } from '../../../../fixtures/products.ts'
import type { InventoryItem, ProductQuery } from '../../../../src/ports/inventory.ts'
import { changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'

/** The embedded back office has one record for each SKU, which is the one that counts. */
const product = generateProducts().find(({ sku }) => sku === knownSkus.inStock)!
const { sku, name } = product
const setting = { facts: { duplicateSkus: [{ sku, name, amount: listPriceOf(product)!.amount }] } }
const rename = (item: InventoryItem): InventoryItem =>
  item.product ? { ...item, product: { ...item.product, name: 'An older record' } } : item

const renameFound = (isWrong: (query: ProductQuery) => boolean) =>
  changeResult('inventory.search', (page, query) =>
    isWrong(query) ? { ...page, items: page.items.map(rename) } : page,
  )

export const duplicateMutants = mutantsOf(
  'SKUs with several records',
  ['finds another record of a SKU in a search', 'by every read', renameFound(({ q }) => q !== undefined), { setting }],
  [
    'reports a change of another record of a SKU',
    'among the changes',
    renameFound(({ updated_since }) => updated_since !== undefined),
    { setting },
  ],
  [
    'returns a price for each record of a SKU',
    'one price and one tax',
    changeResult('pricing.prices', (prices) => prices.flatMap((price) => [price, { ...price, amount: '1.00' }])),
    { setting },
  ],
)
