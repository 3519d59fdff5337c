import { BOTH, call, type Ports } from './subject.ts'

const PRODUCT = { product: true, stock: false }
const page = { limit: 3, offset: 0 }

/** What the recorded tests ask; the recorder asks a real server the same. The demo merchant's parties: 3 has a price list, 4 has none, 5 is exempt. */
export const questions = {
  items: ({ inventory }: Required<Ports>) =>
    inventory.items(
      ['PAD-003', 'PAD-004', 'OFL-001', '50%_X\\Y/#1', 'DUP-001', 'DUP-002', 'OLD-001', 'INT-001', 'NONE'],
      BOTH,
      call(),
    ),
  page: ({ inventory }: Required<Ports>) => inventory.search({ ...page, offset: 3 }, BOTH, call()),
  words: ({ inventory }: Required<Ports>) => inventory.search({ ...page, q: '50%_x  POLISH' }, PRODUCT, call()),
  filters: ({ inventory }: Required<Ports>) =>
    inventory.search({ ...page, category: 'electrical', tag: 'bestseller' }, PRODUCT, call()),
  changes: ({ inventory }: Required<Ports>) =>
    inventory.search({ limit: 4, offset: 42, updated_since: '2000-01-01T00:00:00Z' }, PRODUCT, call()),
  categories: async ({ inventory }: Required<Ports>) => ({
    categories: await inventory.categories(call()),
    tags: await inventory.tags!(call()),
  }),
  'list-prices': ({ pricing }: Required<Ports>) =>
    pricing.prices(['OFL-001', 'OIL-002', 'DUP-001', 'NONE'], null, call()),
  'contract-prices': ({ pricing }: Required<Ports>) =>
    pricing.prices(['OFL-001', 'BAT-001', 'AFL-001', 'OIL-002'], '3', call()),
  'no-contract': ({ pricing }: Required<Ports>) => pricing.prices(['OFL-001'], '4', call()),
  'unknown-customer': ({ pricing }: Required<Ports>) =>
    pricing.prices(['OFL-001'], '999', call()).catch((error: Error) => error),
  taxes: ({ accounting }: Required<Ports>) => accounting.taxes(['OFL-001', 'MAP-001', 'NONE'], null, call()),
  exempt: ({ accounting }: Required<Ports>) => accounting.taxes(['OFL-001'], '5', call()),
}
