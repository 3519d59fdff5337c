import type { Stock } from '../../../../src/ports/inventory.ts'
import type { Price } from '../../../../src/ports/pricing.ts'
import { type Mutant, mutateAccounting, mutateInventory, mutatePricing } from './mutant.ts'

const justAfter = (moment: string) => new Date(Date.parse(moment) + 1).toISOString()

const withStock = (change: (stock: Stock) => Stock) =>
  mutateInventory(({ items }) => ({
    async items(...asked) {
      const found = await items(...asked)
      return found.map((item) => (item.stock ? { ...item, stock: change(item.stock) } : item))
    },
  }))

export const readMutants: Mutant[] = [
  {
    mistake: 'invents stock for unknown SKUs',
    requirement: ['inventory.items', 'leaves out unknown'],
    mutate: mutateInventory(({ items }) => ({
      async items(skus, parts, call) {
        const known = await items(skus, parts, call)
        const lost = skus.filter((sku) => !known.some((item) => item.sku === sku))
        return [...known, ...lost.map((sku) => ({ sku, product: null, stock: { available: 0, expected: [] } }))]
      },
    })),
  },
  {
    mistake: 'gives each branch the stock of all',
    requirement: ['inventory.items', 'names each branch once'],
    mutate: withStock(({ branches, ...stock }) => ({
      ...stock,
      branches: branches?.map((branch) => ({ ...branch, available: stock.available })),
    })),
  },
  {
    mistake: 'counts what nobody counts',
    requirement: ['inventory.items', 'nobody counts'],
    mutate: withStock(({ untracked: _, ...stock }) => stock),
  },
  {
    mistake: 'loses the policy for orders while a product is out of stock',
    requirement: ['inventory.items', 'may be ordered while'],
    mutate: withStock(({ sell_when_out: _, ...stock }) => stock),
  },
  {
    mistake: 'returns a SKU as often as it was requested',
    requirement: ['inventory.items', 'once each'],
    mutate: mutateInventory(({ items }) => ({
      items: async (skus, parts, call) => {
        const known = await items(skus, parts, call)
        return skus.flatMap((sku) => known.filter((item) => item.sku === sku))
      },
    })),
  },
  {
    mistake: 'returns all parts, whichever were requested',
    requirement: ['inventory.items', 'the requested parts'],
    mutate: mutateInventory(({ items }) => ({
      items: (skus, _, call) => items(skus, { product: true, stock: true }, call),
    })),
  },
  {
    mistake: 'begins each page at the start',
    requirement: ['inventory.search', 'pages through'],
    mutate: mutateInventory(({ search }) => ({ search: (query, ...more) => search({ ...query, offset: 0 }, ...more) })),
  },
  {
    mistake: 'leaves out changes exactly at `since`',
    requirement: ['inventory.search', '(inclusive), ordered'],
    mutate: mutateInventory(({ search }) => ({
      search: ({ updated_since, ...query }, ...more) =>
        search({ ...query, ...(updated_since && { updated_since: justAfter(updated_since) }) }, ...more),
    })),
  },
  {
    mistake: 'searches case-sensitively',
    requirement: ['inventory.search', 'case and accents'],
    mutate: mutateInventory(({ search }) => ({
      async search(query, ...more) {
        const page = await search(query, ...more)
        const items = page.items.filter(({ product }) => product?.name.includes(query.q ?? ''))
        return { ...page, items, total: items.length }
      },
    })),
  },
  {
    mistake: 'promises taxes and quotes none',
    requirement: ['pricing.quote', 'has the taxes'],
    mutate: mutatePricing(() => ({ quotesTaxes: true })),
  },
  {
    mistake: 'forgets the last row of a feed',
    requirement: ['inventory.stockChanges', 'without gaps'],
    mutate: mutateInventory(({ stockChanges }) => ({
      async stockChanges(query, call) {
        const { changes, has_more } = await stockChanges(query, call)
        return { changes: has_more ? changes.slice(0, -1) : changes, has_more }
      },
    })),
  },
  {
    mistake: 'continues one row too late after a cursor',
    requirement: ['inventory.stockChanges', 'between two pages'],
    mutate: mutateInventory(({ stockChanges }) => ({
      async stockChanges(query, call) {
        const page = await stockChanges(query, call)
        return query.cursor === undefined ? page : { ...page, changes: page.changes.slice(1) }
      },
    })),
  },
  {
    mistake: 'returns a picture with another version than its product',
    requirement: ['inventory.picture', 'in the version of its URL'],
    mutate: mutateInventory(({ picture }) => ({
      async picture(source, call) {
        const found = await picture(source, call)
        return found && { ...found, version: 'now' }
      },
    })),
  },
  {
    mistake: 'returns the list price to every customer',
    requirement: ['pricing.prices', "customer's own price"],
    mutate: mutatePricing(({ prices }) => ({ prices: (skus, _, call) => prices(skus, null, call) })),
  },
  {
    mistake: 'caches a price without the customer in its key',
    requirement: ['pricing.prices', 'to parallel callers'],
    mutate: mutatePricing(({ prices }) => {
      const kept = new Map<string, Price[]>()
      return {
        async prices(skus, customer, call) {
          const held = kept.get(skus.join()) ?? (await prices(skus, customer, call))
          kept.set(skus.join(), held)
          return held
        },
      }
    }),
  },
  {
    mistake: 'prices SKUs without a price at zero',
    requirement: ['pricing.prices', 'never invents a price'],
    mutate: mutatePricing(({ prices }) => ({
      async prices(skus, customer, call) {
        const [like] = await prices(['BP-1001'], customer, call)
        const known = await prices(skus, customer, call)
        const lost = skus.filter((sku) => !known.some((price) => price.sku === sku))
        return [...known, ...lost.map((sku) => ({ ...like!, sku, amount: '0.00' }))]
      },
    })),
  },
  {
    mistake: 'uses the quantity of each line alone',
    requirement: ['pricing.quote', 'summed quantity'],
    mutate: mutatePricing(({ quote }) => ({
      async quote(question, call) {
        const each = question.lines.map((line) => quote({ ...question, lines: [line] }, call))
        const quotes = await Promise.all(each)
        return { ...quotes[0]!, lines: quotes.flatMap(({ lines }) => lines) }
      },
    })),
  },
  {
    mistake: 'taxes exempt customers',
    requirement: ['accounting.taxes', 'exempt customer'],
    mutate: mutateAccounting(({ taxes }) => ({ taxes: (skus, _, call) => taxes(skus, null, call) })),
  },
  {
    mistake: 'sends the document of an invoice to anybody',
    requirement: ['accounting.invoiceDocument', 'the customer of the invoice alone'],
    mutate: mutateAccounting(({ invoiceDocument }) => ({
      invoiceDocument: (_, invoiceId, call) => invoiceDocument('C-1001', invoiceId, call),
    })),
  },
]
