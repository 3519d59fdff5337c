import type { OdooSettings } from '../../../adapters/odoo/settings.ts'
import { addShipping } from '../../../src/commands/carts/cart-totals.ts'
import { createCall } from '../../support/create-call.ts'
import { odooMerchant } from '../../support/odoo/connect-odoo.ts'
import { BOTH_ITEM_PARTS } from '../conformance/both-item-parts.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'
import type { Ports } from '../conformance/subject.ts'

type Connected = Required<Ports>

/** What staff do between recorded calls; nothing when a recording is played back. */
export interface Staff {
  /** Duplicates an order, then confirms and cancels the copy. */
  duplicate(orderId: string): Promise<void>
}
const nobody: Staff = { duplicate: async () => {} }

/** Stands for the database, the user and the API key in recordings. */
export const RECORDED_LOGIN = 'recorded'
/** Returns what a recording has of a request. */
export const toAsked = (path: string, body: unknown) => ({ method: path.replace('/json/2/', ''), body })

/** The date of the recordings. */
export const recordedFacts = { ...odooMerchant, now: () => new Date('2026-11-23T21:00:00Z') }
export const GARAGE = '6'
/** The ids of the demo merchant's contacts: one with a price list and credit, one with neither, one exempt from tax, one archived. */
const customers = { garage: GARAGE, cash: '9', exempt: '10', held: '11' }
const customersOfOdoo16: typeof customers = { garage: '7', cash: '10', exempt: '11', held: '12' }
const ignoreMark = (_operation: string) => {}
const page = { limit: 3, offset: 0 }
const since = { since: '2026-11-01T00:00:00.000Z', limit: 3, offset: 0 }
const goods = { sku: 'PAD-001', uom: 'Units', unitPrice: '5700.00' }
const why = { reason: 'CUSTOMER_REQUEST', note: 'found it' }

/** The settings of those recorded calls that need some. */
export const recordedSettings: Record<string, Partial<OdooSettings>> = { branches: { branches: true } }

/** Returns the calls of the recorded tests; the recorder makes the same calls to a real Odoo. */
const createCalls = ({ garage, cash, exempt, held }: typeof customers) => ({
  items: ({ inventory }: Connected) =>
    inventory.items(
      ['PAD-001', 'PAD-003', 'GLV-L', 'SRV-001', 'DUP-001', 'DUP-002', 'OLD-001', '50%_X\\Y/#1', 'NONE'],
      BOTH_ITEM_PARTS,
      createCall(),
    ),
  branches: ({ inventory }: Connected) =>
    inventory.items(['PAD-001', 'PAD-003', 'SRV-001'], { product: false, stock: true }, createCall()),
  page: ({ inventory }: Connected) => inventory.search(page, BOTH_ITEM_PARTS, createCall()),
  words: ({ inventory }: Connected) =>
    inventory.search({ ...page, q: 'GLANZEND  polish' }, BOTH_ITEM_PARTS, createCall()),
  changes: ({ inventory }: Connected) =>
    inventory.search({ ...page, updated_since: since.since }, { product: true, stock: false }, createCall()),
  categories: async ({ inventory }: Connected) => ({
    categories: await inventory.categories(createCall()),
    tags: await inventory.tags!(createCall()),
  }),
  picture: async ({ inventory }: Connected) => {
    const [item] = await inventory.items(['PAD-001'], { product: true, stock: false }, createCall())
    const [media] = item!.product!.media!
    return { media, original: await inventory.picture!(media!.media_id, createCall()) }
  },
  prices: async ({ pricing, accounting }: Connected) => ({
    list: await pricing.prices(['OFL-001', 'INC-001', 'NONE'], null, createCall()),
    contract: await pricing.prices(['OFL-001', 'OIL-002'], garage, createCall()),
    exempt: await pricing.prices(['INC-001'], exempt, createCall()),
    taxes: await accounting.taxes(['OFL-001', 'INC-001'], null, createCall()),
    none: await accounting.taxes(['OFL-001'], exempt, createCall()),
    unknown: await pricing.prices(['OFL-001'], '99999', createCall()).catch((error: Error) => error),
  }),
  customers: async ({ accounting }: Connected) => ({
    garage: await accounting.customer!(garage, createCall()),
    byEmail: await accounting.findCustomer!('ORDERS@hwtgarage.EXAMPLE', createCall()),
    byPattern: await accounting.findCustomer!('%@hwtgarage.example', createCall()),
    held: await accounting.customer!(held, createCall()),
    credit: await accounting.credit!(garage, createCall()),
    cash: await accounting.credit!(cash, createCall()),
  }),
  placed: async ({ accounting }: Connected) => {
    const draft = createOrderDraft({ reference: 'ord_recorded3placed', customerId: garage, goods })
    const key = { reference: draft.reference }
    return {
      draft,
      placed: await accounting.placeOrder!(draft, createCall()),
      again: await accounting.placeOrder!(draft, createCall()),
      cancelled: await accounting.cancelOrder!(garage, key, why, createCall()),
    }
  },
  /** The Odoo has the delivery method `Van`. */
  delivered: async ({ accounting }: Connected) => {
    const draft = createOrderDraft({ reference: 'ord_recorded3sent', customerId: garage, goods })
    const { lines, totals, shipping_address } = draft
    const query = {
      customerId: garage,
      lines: lines.map(({ sku, quantity }) => ({ sku, quantity })),
      goods_total: totals.total,
      tax_included: totals.tax_included,
      shipping_address,
    }
    const options = await accounting.deliveryOptions!(query, createCall())
    const van = options.find(({ name }) => name === 'Van')!
    const delivery = { delivery_option_id: van.delivery_option_id, name: van.name, pickup_place: null }
    const sent = { ...draft, delivery, totals: addShipping(totals, van, 2) }
    const key = { reference: draft.reference }
    return {
      options,
      draft: sent,
      placed: await accounting.placeOrder!(sent, createCall()),
      order: await accounting.order!(garage, key, createCall()),
      cancelled: await accounting.cancelOrder!(garage, key, why, createCall()),
    }
  },
  duplicated: async ({ accounting }: Connected, staff = nobody) => {
    const draft = createOrderDraft({ reference: 'ord_recorded3copied', customerId: garage, goods })
    const key = { reference: draft.reference }
    const placed = await accounting.placeOrder!(draft, createCall())
    if (placed.state === 'placed') await staff.duplicate(placed.order.order_id)
    return {
      placed,
      again: await accounting.placeOrder!(draft, createCall()),
      order: await accounting.order!(garage, key, createCall()),
      list: await accounting.orders!(garage, { limit: 2, offset: 0 }, createCall()),
      cancelled: await accounting.cancelOrder!(garage, key, why, createCall()),
    }
  },
  refused: async ({ accounting }: Connected) => {
    const right = createOrderDraft({ reference: 'ord_recorded3wrong', customerId: garage, goods })
    const over = createOrderDraft({ reference: 'ord_recorded3over', customerId: garage, goods, quantity: '99999' })
    return {
      wrong: await accounting.placeOrder!({ ...right, totals: { ...right.totals, total: '1.00' } }, createCall()),
      over: await accounting.placeOrder!(over, createCall()),
      order: await accounting.order!(garage, { reference: over.reference }, createCall()),
    }
  },
  /** Each operation of a storefront as the API makes it, after small tables were read. `mark` is called before each. */
  counted: async ({ inventory, pricing, accounting }: Connected, _staff = nobody, mark = ignoreMark) => {
    const order = (reference: string) => createOrderDraft({ reference, customerId: garage, goods })
    const priceAndTax = async (skus: readonly string[], customerId: string | null) =>
      Promise.all([pricing.prices(skus, customerId, createCall()), accounting.taxes(skus, customerId, createCall())])
    async function readPage(customerId: string | null) {
      let prices: ReturnType<typeof priceAndTax> | undefined
      await inventory.search(page, BOTH_ITEM_PARTS, createCall(), (skus) => {
        prices = priceAndTax(skus, customerId)
      })
      return prices
    }
    const readProduct = (customerId: string | null) =>
      Promise.all([inventory.items(['OFL-001'], BOTH_ITEM_PARTS, createCall()), priceAndTax(['OFL-001'], customerId)])
    const skus = ['PAD-001', 'OFL-001', 'OIL-002']
    const lines = skus.map((sku, i) => ({ line_id: String(i), sku, quantity: '2' }))
    const cart = () =>
      Promise.all([
        inventory.items(skus, BOTH_ITEM_PARTS, createCall()),
        pricing.quote!({ customerId: garage, lines, codes: [] }, createCall()),
      ])
    await readPage(garage)
    await readProduct(garage)
    await accounting.placeOrder!(order('ord_recorded5first'), createCall())
    const operations: [string, () => Promise<unknown>][] = [
      ['page', () => readPage(null)],
      ['page with a price list', () => readPage(garage)],
      ['product', () => readProduct(null)],
      ['product with a price list', () => readProduct(garage)],
      ['cart', cart],
      ['checkout on credit', () => accounting.placeOrder!(order('ord_recorded5credit'), createCall())],
      [
        'checkout in cash',
        () =>
          accounting.placeOrder!(
            { ...order('ord_recorded5cash'), payment_method: 'CASH_ON_DELIVERY' as const },
            createCall(),
          ),
      ],
      ['order', () => accounting.order!(garage, { reference: 'ord_recorded5credit' }, createCall())],
      ['cancel', () => accounting.cancelOrder!(garage, { reference: 'ord_recorded5credit' }, why, createCall())],
    ]
    for (const [operation, ask] of operations) {
      mark(operation)
      await ask()
    }
    mark('end')
  },
  past: async ({ accounting }: Connected) => {
    const order = await accounting.order!(garage, { reference: 'ord_demo0paid' }, createCall())
    const query = { limit: 2, offset: 0, order_id: order!.order_id, today: '2026-11-23' }
    return { order, invoices: await accounting.invoices!(garage, query, createCall()) }
  },
})

export const callsToRecord = createCalls(customers)
/** Those whose answers Odoo 16 gives in another way. */
export const callsToRecordOfOdoo16 = createCalls(customersOfOdoo16)
