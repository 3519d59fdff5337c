import type { Price } from '../../../../src/ports/pricing.ts'
import { type Mutant, mutateAccounting, mutateInventory, mutatePricing } from './mutant.ts'

const justAfter = (moment: string) => new Date(Date.parse(moment) + 1).toISOString()

export const readMutants: Mutant[] = [
  {
    mistake: 'invents stock for SKUs that it does not know',
    duty: ['inventory.items', 'leaves out unknown'],
    spoil: mutateInventory(({ items }) => ({
      async items(skus, parts, call) {
        const known = await items(skus, parts, call)
        const lost = skus.filter((sku) => !known.some((item) => item.sku === sku))
        return [...known, ...lost.map((sku) => ({ sku, product: null, stock: { available: 0, expected: [] } }))]
      },
    })),
  },
  {
    mistake: 'answers a SKU as often as it was asked for',
    duty: ['inventory.items', 'once each'],
    spoil: mutateInventory(({ items }) => ({
      items: async (skus, parts, call) => {
        const known = await items(skus, parts, call)
        return skus.flatMap((sku) => known.filter((item) => item.sku === sku))
      },
    })),
  },
  {
    mistake: 'answers all parts, whichever were asked for',
    duty: ['inventory.items', 'the parts that were asked for'],
    spoil: mutateInventory(({ items }) => ({
      items: (skus, _, call) => items(skus, { product: true, stock: true }, call),
    })),
  },
  {
    mistake: 'begins each page at the start',
    duty: ['inventory.search', 'pages through'],
    spoil: mutateInventory(({ search }) => ({ search: (query, ...more) => search({ ...query, offset: 0 }, ...more) })),
  },
  {
    mistake: 'leaves out what changed at the moment that it was asked from',
    duty: ['inventory.search', 'that moment included'],
    spoil: mutateInventory(({ search }) => ({
      search: ({ updated_since, ...query }, ...more) =>
        search({ ...query, ...(updated_since && { updated_since: justAfter(updated_since) }) }, ...more),
    })),
  },
  {
    mistake: 'minds capitals in a search',
    duty: ['inventory.search', 'whatever their case'],
    spoil: mutateInventory(({ search }) => ({
      async search(query, ...more) {
        const page = await search(query, ...more)
        const items = page.items.filter(({ product }) => product?.name.includes(query.q ?? ''))
        return { ...page, items, total: items.length }
      },
    })),
  },
  {
    mistake: 'forgets the last row of a feed',
    duty: ['inventory.stockChanges', 'without gaps'],
    spoil: mutateInventory(({ stockChanges }) => ({
      async stockChanges(query, call) {
        const { changes, has_more } = await stockChanges(query, call)
        return { changes: has_more ? changes.slice(0, -1) : changes, has_more }
      },
    })),
  },
  {
    mistake: 'says another version of a picture than its product does',
    duty: ['inventory.picture', 'in that version'],
    spoil: mutateInventory(({ picture }) => ({
      async picture(source, call) {
        const found = await picture(source, call)
        return found && { ...found, version: 'now' }
      },
    })),
  },
  {
    mistake: 'answers every customer the list price',
    duty: ['pricing.prices', "a customer's own price"],
    spoil: mutatePricing(({ prices }) => ({ prices: (skus, _, call) => prices(skus, null, call) })),
  },
  {
    mistake: 'keeps a price without the customer in its key',
    duty: ['pricing.prices', "nobody else's"],
    spoil: mutatePricing(({ prices }) => {
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
    mistake: 'prices at zero what has no price',
    duty: ['pricing.prices', 'never invents one'],
    spoil: mutatePricing(({ prices }) => ({
      async prices(skus, customer, call) {
        const [like] = await prices(['BP-1001'], customer, call)
        const known = await prices(skus, customer, call)
        const lost = skus.filter((sku) => !known.some((price) => price.sku === sku))
        return [...known, ...lost.map((sku) => ({ ...like!, sku, amount: '0.00' }))]
      },
    })),
  },
  {
    mistake: 'goes by the quantity of each line alone',
    duty: ['pricing.quote', 'summed quantity'],
    spoil: mutatePricing(({ quote }) => ({
      async quote(question, call) {
        const each = question.lines.map((line) => quote({ ...question, lines: [line] }, call))
        const quotes = await Promise.all(each)
        return { ...quotes[0]!, lines: quotes.flatMap(({ lines }) => lines) }
      },
    })),
  },
  {
    mistake: 'taxes the exempt',
    duty: ['accounting.taxes', 'exempt customer'],
    spoil: mutateAccounting(({ taxes }) => ({ taxes: (skus, _, call) => taxes(skus, null, call) })),
  },
]
