import { createCall } from '../../support/create-call.ts'
import { trytonMerchant } from '../../support/tryton/connect-tryton.ts'
import { BOTH_ITEM_PARTS } from '../conformance/both-item-parts.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'
import type { Ports } from '../conformance/subject.ts'
import { toDiscountedDraft } from './discounted-draft.ts'

const PRODUCT = { product: true, stock: false }
const page = { limit: 3, offset: 0 }

/** The date of the recordings. */
export const recordedFacts = { ...trytonMerchant, now: () => new Date('2026-11-21T12:00:00Z') }
const GARAGE = '3'
const HOTEL = '6'
const since = { since: '2000-01-01T00:00:00.000Z', limit: 50, offset: 0 }
const bought = { customerId: GARAGE, goods: { sku: 'PAD-001', uom: 'u', unitPrice: '5700.00' } }

/**
 * The calls of the recorded tests; the recorder makes the same calls to a real server. Parties of the demo merchant: 3
 * has a price list, 4 has none, 5 is tax-exempt.
 */
export const callsToRecord = {
  items: ({ inventory }: Required<Ports>) =>
    inventory.items(
      ['PAD-003', 'PAD-004', 'OFL-001', '50%_X\\Y/#1', 'DUP-001', 'DUP-002', 'OLD-001', 'INT-001', 'NONE'],
      BOTH_ITEM_PARTS,
      createCall(),
    ),
  page: ({ inventory }: Required<Ports>) => inventory.search({ ...page, offset: 3 }, BOTH_ITEM_PARTS, createCall()),
  words: ({ inventory }: Required<Ports>) => inventory.search({ ...page, q: '50%_x  POLISH' }, PRODUCT, createCall()),
  filters: ({ inventory }: Required<Ports>) =>
    inventory.search({ ...page, category: 'electrical', tag: 'bestseller' }, PRODUCT, createCall()),
  changes: ({ inventory }: Required<Ports>) =>
    inventory.search({ limit: 8, offset: 41, updated_since: '2000-01-01T00:00:00Z' }, PRODUCT, createCall()),
  pictures: async ({ inventory }: Required<Ports>) => {
    const items = await inventory.items(['PAD-001', 'OFL-001', 'BAT-001', 'CLT-001'], PRODUCT, createCall())
    const media = items.map(({ sku, product }) => [sku, product?.media] as const)
    const sources = media.flatMap(([, pictures]) => pictures?.map(({ media_id }) => media_id) ?? [])
    return { media, originals: await Promise.all(sources.map((source) => inventory.picture!(source, createCall()))) }
  },
  categories: async ({ inventory }: Required<Ports>) => ({
    categories: await inventory.categories(createCall()),
    tags: await inventory.tags!(createCall()),
  }),
  'list-prices': ({ pricing }: Required<Ports>) =>
    pricing.prices(['OFL-001', 'OIL-002', 'DUP-001', 'NONE'], null, createCall()),
  'contract-prices': ({ pricing }: Required<Ports>) =>
    pricing.prices(['OFL-001', 'BAT-001', 'AFL-001', 'OIL-002'], '3', createCall()),
  'no-contract': ({ pricing }: Required<Ports>) => pricing.prices(['OFL-001'], '4', createCall()),
  'unknown-customer': ({ pricing }: Required<Ports>) =>
    pricing.prices(['OFL-001'], '999', createCall()).catch((error: Error) => error),
  taxes: ({ accounting }: Required<Ports>) => accounting.taxes(['OFL-001', 'MAP-001', 'NONE'], null, createCall()),
  exempt: ({ accounting }: Required<Ports>) => accounting.taxes(['OFL-001'], '5', createCall()),
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
      createCall(),
    ),
  promotions: async ({ pricing }: Required<Ports>) => {
    const goods = [
      ['OFL-008', '12'],
      ['PAD-008', '3'],
      ['BAT-002', '1'],
    ] as const
    const lines = goods.map(([sku, quantity], i) => ({ line_id: String(i), sku, quantity }))
    const quoted = (...codes: string[]) => pricing.quote!({ customerId: '4', lines, codes }, createCall())
    return {
      unasked: await quoted(),
      welcome: await quoted('welcome10 '),
      together: await quoted('WELCOME10', 'PADS15', 'LASTONE'),
      refused: await quoted('OVER', 'NOTYET', 'TRADE3', 'NOSUCH', '%'),
    }
  },
  customers: async ({ accounting }: Required<Ports>) => ({
    byId: await accounting.customer!(GARAGE, createCall()),
    byMailbox: await accounting.findCustomer!('ORDERS@hwtgarage.EXAMPLE', createCall()),
    byPattern: await accounting.findCustomer!('%@hwtgarage.example', createCall()),
    cash: await accounting.customer!('4', createCall()),
    nobody: await accounting.customer!('999', createCall()),
  }),
  registered: async ({ accounting }: Required<Ports>) => {
    const person = { first_name: 'Mary Ann', last_name: 'van Dyk', email: 'mary@shopper.example' }
    const draft = { ...person, reference: 'shp_recorded', company: null, phone: '12-ring-me' }
    return {
      made: await accounting.createCustomer!(draft, createCall()),
      again: await accounting.createCustomer!(draft, createCall()),
    }
  },
  credit: async ({ accounting }: Required<Ports>) => ({
    garage: await accounting.credit!(GARAGE, createCall()),
    hotel: await accounting.credit!(HOTEL, createCall()),
    cash: await accounting.credit!('4', createCall()),
  }),
  orders: async ({ accounting }: Required<Ports>) => ({
    garage: await accounting.orders!(GARAGE, { limit: 50, offset: 0 }, createCall()),
    shipped: await accounting.orders!(HOTEL, { limit: 50, offset: 0, status: 'SHIPPED' }, createCall()),
    another: await accounting.order!(HOTEL, { reference: 'ord_demo0late' }, createCall()),
  }),
  invoices: ({ accounting }: Required<Ports>) =>
    accounting.invoices!(HOTEL, { limit: 50, offset: 0, today: '2026-11-21' }, createCall()),
  feeds: async ({ accounting, pricing, inventory }: Required<Ports>) => ({
    orders: await accounting.orderChanges!(since, createCall()),
    invoices: await accounting.invoiceChanges!(since, createCall()),
    prices: await pricing.priceChanges!({ ...since, limit: 5 }, createCall()),
    stock: await inventory.stockChanges!({ ...since, limit: 5 }, createCall()),
  }),
  placed: async ({ accounting }: Required<Ports>) => {
    const draft = createOrderDraft({ reference: 'ord_recorded0placed', ...bought })
    const key = { reference: draft.reference }
    const placed = await accounting.placeOrder!(draft, createCall())
    const why = { reason: 'CUSTOMER_REQUEST', note: 'found it' }
    return {
      draft,
      placed,
      again: await accounting.placeOrder!(draft, createCall()),
      cancelled: await accounting.cancelOrder!(GARAGE, key, why, createCall()),
      payment: await accounting.payment!(GARAGE, key, createCall()),
    }
  },
  discounted: async ({ accounting, pricing }: Required<Ports>) => {
    const asked = { customerId: GARAGE, lines: [{ line_id: 'a', sku: 'BAT-002', quantity: '3' }], codes: ['LASTONE'] }
    const quote = await pricing.quote!(asked, createCall())
    const goods = { sku: 'BAT-002', uom: 'u', unitPrice: '23655.00' }
    const draft = toDiscountedDraft(
      createOrderDraft({ reference: 'ord_recorded0promo', customerId: GARAGE, goods }),
      quote,
    )
    const placed = await accounting.placeOrder!(draft, createCall())
    const late = await accounting.placeOrder!({ ...draft, reference: 'ord_recorded0late' }, createCall())
    const why = { reason: 'CUSTOMER_REQUEST', note: null }
    const key = { reference: draft.reference }
    const cancelled = await accounting.cancelOrder!(GARAGE, key, why, createCall())
    return { quote, draft, placed, late, cancelled, again: await pricing.quote!(asked, createCall()) }
  },
  refused: async ({ accounting }: Required<Ports>) => {
    const totals = { ...createOrderDraft({ reference: '', ...bought }).totals, total: '1.00' }
    const over = createOrderDraft({ reference: 'ord_recorded0over', ...bought, quantity: '999' })
    return {
      wrong: await accounting.placeOrder!(
        createOrderDraft({ reference: 'ord_recorded0wrong', ...bought }, { totals }),
        createCall(),
      ),
      over: await accounting.placeOrder!(over, createCall()),
      order: await accounting.order!(GARAGE, { reference: 'ord_recorded0over' }, createCall()),
    }
  },
}
