import { merchant } from '../../support/tryton/connect-tryton.ts'
import { draftOf } from '../conformance/order-draft.ts'
import { withDiscount } from './discounted-draft.ts'
import { BOTH, call, type Ports } from '../conformance/subject.ts'

const PRODUCT = { product: true, stock: false }
const page = { limit: 3, offset: 0 }

/** The day of the recordings. */
export const recordedAt = { ...merchant, now: () => new Date('2026-11-21T12:00:00Z') }
const GARAGE = '3'
const HOTEL = '6'
const since = { since: '2000-01-01T00:00:00.000Z', limit: 50, offset: 0 }
const bought = { customerId: GARAGE, goods: { sku: 'PAD-001', uom: 'u', unitPrice: '5700.00' } }

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
    inventory.search({ limit: 8, offset: 41, updated_since: '2000-01-01T00:00:00Z' }, PRODUCT, call()),
  pictures: async ({ inventory }: Required<Ports>) => {
    const items = await inventory.items(['PAD-001', 'OFL-001', 'BAT-001', 'CLT-001'], PRODUCT, call())
    const media = items.map(({ sku, product }) => [sku, product?.media] as const)
    const sources = media.flatMap(([, pictures]) => pictures?.map(({ media_id }) => media_id) ?? [])
    return { media, originals: await Promise.all(sources.map((source) => inventory.picture!(source, call()))) }
  },
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
  quote: ({ pricing }: Required<Ports>) =>
    pricing.quote!(
      {
        customerId: GARAGE,
        lines: [
          { line_id: 'a', sku: 'OFL-001', quantity: '40' },
          { line_id: 'b', sku: 'OFL-001', quantity: '8' },
          { line_id: 'c', sku: 'NONE', quantity: '1' },
        ],
        codes: ['WELCOME'],
      },
      call(),
    ),
  promotions: async ({ pricing }: Required<Ports>) => {
    const goods = [
      ['OFL-008', '12'],
      ['PAD-008', '3'],
      ['BAT-002', '1'],
    ] as const
    const lines = goods.map(([sku, quantity], i) => ({ line_id: String(i), sku, quantity }))
    const quoted = (...codes: string[]) => pricing.quote!({ customerId: '4', lines, codes }, call())
    return {
      unasked: await quoted(),
      welcome: await quoted('welcome10 '),
      together: await quoted('WELCOME10', 'PADS15', 'LASTONE'),
      refused: await quoted('OVER', 'NOTYET', 'TRADE3', 'NOSUCH', '%'),
    }
  },
  customers: async ({ accounting }: Required<Ports>) => ({
    byId: await accounting.customer!(GARAGE, call()),
    byMailbox: await accounting.findCustomer!('ORDERS@hwtgarage.EXAMPLE', call()),
    byPattern: await accounting.findCustomer!('%@hwtgarage.example', call()),
    cash: await accounting.customer!('4', call()),
    nobody: await accounting.customer!('999', call()),
  }),
  registered: async ({ accounting }: Required<Ports>) => {
    const person = { first_name: 'Mary Ann', last_name: 'van Dyk', email: 'mary@shopper.example' }
    const draft = { ...person, reference: 'shp_recorded', company: null, phone: '12-ring-me' }
    return {
      made: await accounting.createCustomer!(draft, call()),
      again: await accounting.createCustomer!(draft, call()),
    }
  },
  credit: async ({ accounting }: Required<Ports>) => ({
    garage: await accounting.credit!(GARAGE, call()),
    hotel: await accounting.credit!(HOTEL, call()),
    cash: await accounting.credit!('4', call()),
  }),
  orders: async ({ accounting }: Required<Ports>) => ({
    garage: await accounting.orders!(GARAGE, { limit: 50, offset: 0 }, call()),
    shipped: await accounting.orders!(HOTEL, { limit: 50, offset: 0, status: 'SHIPPED' }, call()),
    another: await accounting.order!(HOTEL, { reference: 'ord_demo0late' }, call()),
  }),
  invoices: ({ accounting }: Required<Ports>) =>
    accounting.invoices!(HOTEL, { limit: 50, offset: 0, today: '2026-11-21' }, call()),
  feeds: async ({ accounting, pricing, inventory }: Required<Ports>) => ({
    orders: await accounting.orderChanges!(since, call()),
    invoices: await accounting.invoiceChanges!(since, call()),
    prices: await pricing.priceChanges!({ ...since, limit: 5 }, call()),
    stock: await inventory.stockChanges!({ ...since, limit: 5 }, call()),
  }),
  placed: async ({ accounting }: Required<Ports>) => {
    const draft = draftOf({ reference: 'ord_recorded0placed', ...bought })
    const key = { reference: draft.reference }
    const placed = await accounting.placeOrder!(draft, call())
    const why = { reason: 'CUSTOMER_REQUEST', note: 'found it' }
    return {
      ...{ draft, placed, again: await accounting.placeOrder!(draft, call()) },
      cancelled: await accounting.cancelOrder!(GARAGE, key, why, call()),
      payment: await accounting.payment!(GARAGE, key, call()),
    }
  },
  discounted: async ({ accounting, pricing }: Required<Ports>) => {
    const asked = { customerId: GARAGE, lines: [{ line_id: 'a', sku: 'BAT-002', quantity: '3' }], codes: ['LASTONE'] }
    const quote = await pricing.quote!(asked, call())
    const goods = { sku: 'BAT-002', uom: 'u', unitPrice: '23655.00' }
    const draft = withDiscount(draftOf({ reference: 'ord_recorded0promo', customerId: GARAGE, goods }), quote)
    const placed = await accounting.placeOrder!(draft, call())
    const late = await accounting.placeOrder!({ ...draft, reference: 'ord_recorded0late' }, call())
    const why = { reason: 'CUSTOMER_REQUEST', note: null }
    const key = { reference: draft.reference }
    const cancelled = await accounting.cancelOrder!(GARAGE, key, why, call())
    return { quote, draft, placed, late, cancelled, again: await pricing.quote!(asked, call()) }
  },
  refused: async ({ accounting }: Required<Ports>) => {
    const totals = { ...draftOf({ reference: '', ...bought }).totals, total: '1.00' }
    const over = draftOf({ reference: 'ord_recorded0over', ...bought, quantity: '999' })
    return {
      wrong: await accounting.placeOrder!(draftOf({ reference: 'ord_recorded0wrong', ...bought }, { totals }), call()),
      over: await accounting.placeOrder!(over, call()),
      order: await accounting.order!(GARAGE, { reference: 'ord_recorded0over' }, call()),
    }
  },
}
