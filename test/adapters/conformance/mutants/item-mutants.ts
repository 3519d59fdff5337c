import type { Product, Stock } from '../../../../src/ports/inventory.ts'
import { changeMethod, changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'
import { toNumber } from './to-number.ts'

const changeStock = (change: (stock: Stock) => Stock) =>
  changeResult('inventory.items', (items) =>
    items.map((item) => (item.stock ? { ...item, stock: change(item.stock) } : item)),
  )
const changeProduct = (change: (product: Product) => Product) =>
  changeResult('inventory.items', (items) =>
    items.map((item) => (item.product ? { ...item, product: change(item.product) } : item)),
  )

export const itemMutants = mutantsOf(
  'inventory.items',
  [
    'invents stock for unknown SKUs',
    'leaves out unknown',
    changeResult('inventory.items', (items, skus) => {
      const lost = skus.filter((sku) => !items.some((item) => item.sku === sku))
      return [...items, ...lost.map((sku) => ({ sku, product: null, stock: { available: 0, expected: [] } }))]
    }),
  ],
  [
    'returns a SKU as often as it was requested',
    'once each',
    changeResult('inventory.items', (items, skus) => skus.flatMap((sku) => items.filter((item) => item.sku === sku))),
  ],
  [
    'encodes SKUs twice',
    'special characters',
    changeMethod(
      'inventory.items',
      (items) =>
        (skus, ...more) =>
          items(skus.map(encodeURIComponent), ...more),
    ),
  ],
  [
    'returns all parts, whichever were requested',
    'the requested parts',
    changeMethod('inventory.items', (items) => (skus, _, call) => items(skus, { product: true, stock: true }, call)),
  ],
  [
    'passes on a member that the port does not have',
    'without extra members',
    changeProduct((product) => ({ ...product, cost: '1.00' }) as Product),
  ],
  [
    'returns the size of a unit as a number',
    'without extra members',
    changeProduct((product) => ({
      ...product,
      order_uoms: product.order_uoms.map((unit) => ({ ...unit, factor: toNumber(unit.factor) })),
    })),
  ],
  [
    'gives each variant a parent of its own',
    'variants have in common',
    changeProduct((product) =>
      product.variant_of ? { ...product, variant_of: { ...product.variant_of, parent_id: product.sku } } : product,
    ),
  ],
  [
    'returns stock as text',
    'stock as a number',
    changeStock((stock) => ({ ...stock, available: String(stock.available) as unknown as number })),
  ],
  ['counts what nobody counts', 'nobody counts', changeStock(({ untracked: _, ...stock }) => stock)],
  [
    'loses the policy for orders while a product is out of stock',
    'may be ordered while',
    changeStock(({ sell_when_out: _, ...stock }) => stock),
  ],
  [
    'gives each branch the stock of all',
    'names each branch once',
    changeStock(({ branches, ...stock }) => ({
      ...stock,
      branches: branches?.map((branch) => ({ ...branch, available: stock.available })),
    })),
  ],
  [
    'returns receipts with the time of the day',
    'open receipts',
    changeStock((stock) => ({
      ...stock,
      expected: stock.expected.map((receipt) => ({ ...receipt, date: `${receipt.date}T00:00:00Z` })),
    })),
  ],
  [
    'leaves out deactivated products',
    'deactivated products as inactive',
    changeResult('inventory.items', (items) => items.filter(({ product }) => product?.active !== false)),
  ],
  [
    'reads one SKU fewer than it promises',
    'accepts `maxSkus`',
    changeMethod(
      'inventory.items',
      (items, { inventory }) =>
        (skus, ...more) =>
          items(skus.slice(0, inventory.maxSkus - 1), ...more),
    ),
  ],
)
