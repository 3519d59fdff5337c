import type { InventoryItem, ItemPage, Product, ProductQuery } from '../../../../src/ports/inventory.ts'
import { changeMethod, changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'

const justAfter = (moment: string) => new Date(Date.parse(moment) + 1).toISOString()

const changeQuery = (change: (query: ProductQuery) => ProductQuery) =>
  changeMethod(
    'inventory.search',
    (search) =>
      (query, ...more) =>
        search(change(query), ...more),
  )
const changeItems = (change: (item: InventoryItem, query: ProductQuery) => InventoryItem) =>
  changeResult('inventory.search', (page, query) => ({
    ...page,
    items: page.items.map((item) => change(item, query)),
  }))
const filterItems = (isFound: (product: Product, query: ProductQuery) => boolean) =>
  changeResult('inventory.search', (page, query) => {
    const items = page.items.filter(({ product }) => isFound(product!, query))
    return { ...page, items, total: items.length }
  })
const without = <K extends keyof ProductQuery>(query: ProductQuery, member: K) => {
  const { [member]: _, ...rest } = query
  return rest as ProductQuery
}
const dropLast = (page: ItemPage): ItemPage => ({
  ...page,
  items: page.items.slice(0, -1),
  total: page.total === null ? null : page.total - 1,
})

export const searchMutants = mutantsOf(
  'inventory.search',
  ['begins each page at the start', 'pages through', changeQuery((query) => ({ ...query, offset: 0 }))],
  [
    'finds other stock in a search',
    'the same items as `items`',
    changeItems((item) =>
      item.stock ? { ...item, stock: { ...item.stock, available: item.stock.available + 1 } } : item,
    ),
  ],
  ['searches case-sensitively', 'case and accents', filterItems((product, { q }) => product.name.includes(q ?? ''))],
  [
    'takes a percent sign for any text',
    'wildcards as plain',
    changeQuery((query) => (query.q === '%' ? without(query, 'q') : query)),
  ],
  [
    'leaves out the products of subcategories',
    'including subcategories',
    filterItems(
      (product, { category }) =>
        category === undefined ||
        product.categories.some(({ category_id, slug }) => [category_id, slug].includes(category)),
    ),
  ],
  ['ignores the tag', 'filters by tag', changeQuery((query) => without(query, 'tag'))],
  ['ignores the list of SKUs', 'among given SKUs', changeQuery((query) => without(query, 'skus'))],
  [
    'announces SKUs that are on no page',
    'announces the SKUs of a page',
    changeMethod('inventory.search', (search) => (query, parts, call, onSkus) => {
      onSkus?.(query.skus ?? [])
      return search(query, parts, call)
    }),
  ],
  [
    'ignores the category when there are words',
    'combines all conditions',
    changeQuery((query) => (query.q === undefined ? query : without(query, 'category'))),
  ],
  [
    'ignores the words in a list of SKUs',
    'among given SKUs',
    changeQuery((query) => (query.skus === undefined ? query : without(query, 'q'))),
  ],
  [
    'leaves out changes exactly at `since`',
    '(inclusive), ordered',
    changeQuery((query) =>
      query.updated_since === undefined ? query : { ...query, updated_since: justAfter(query.updated_since) },
    ),
  ],
  [
    'reports deactivated products as active',
    'deactivated products in the changes',
    changeItems((item) => (item.product ? { ...item, product: { ...item.product, active: true } } : item)),
  ],
  [
    'keeps back the newest change',
    'as the last one',
    changeResult('inventory.search', (page, { updated_since }) =>
      updated_since === undefined || page.has_more ? page : dropLast(page),
    ),
  ],
)
