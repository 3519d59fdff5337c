import { expect } from 'chai'
import type { AccountingContext } from '../../../adapters/tryton/accounting-context.ts'
import type { Capabilities } from '../../../adapters/tryton/client/capabilities.ts'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { readOpenOrderTotal } from '../../../adapters/tryton/customers/open-order-total.ts'
import { createInvoiceChangeFeed } from '../../../adapters/tryton/invoices/invoice-changes.ts'
import { createInvoiceReader } from '../../../adapters/tryton/invoices/invoice-reader.ts'
import { readAttachedDrafts } from '../../../adapters/tryton/orders/draft-attachment.ts'
import { createOrderChangeFeed } from '../../../adapters/tryton/orders/order-changes.ts'
import { createOrderReader } from '../../../adapters/tryton/orders/order-reader.ts'
import { hasOverusedCoupon } from '../../../adapters/tryton/orders/sale-coupons.ts'
import { createPriceReader, type PricedProductRow } from '../../../adapters/tryton/pricing/price-reader.ts'
import { connectPricing } from '../../../adapters/tryton/pricing.ts'
import type { HttpClient } from '../../../src/ports/adapter.ts'
import { trytonMerchant } from '../../support/tryton/connect-tryton.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'
import { createCall } from '../conformance/subject.ts'

const draft = createOrderDraft({
  reference: 'ord_1',
  customerId: '3',
  goods: { sku: 'PAD-001', uom: 'u', unitPrice: '100.00' },
})
const abilities = { has: async () => true, need: async () => {} } as Capabilities

/** Answers by method; what is not named answers nothing. */
function answering(answers: Record<string, unknown>) {
  const asked: [method: string, params: unknown[]][] = []
  const rpc = (async (answer: { parse(value: unknown): unknown }, method: string, params: unknown[]) => {
    asked.push([method, params])
    return answer.parse(answers[method] ?? [])
  }) as Rpc
  return { rpc, asked }
}

describe('tryton: the draft that is kept beside a sale', () => {
  const kept = async (description: string, party = 3) => {
    const { rpc } = answering({ 'ir.attachment.search_read': [{ id: 1, resource: 'sale.sale,7', description }] })
    return (await readAttachedDrafts(rpc, [7], createCall()))({ id: 7, web_id: 'ord_1', party })
  }

  it('is read again whole', async () => {
    expect(await kept(JSON.stringify(draft))).to.deep.equal(draft)
  })

  it('is none when somebody wrote something else there', async () => {
    const { lines: _, ...rest } = draft
    const places = [{ shipping_address: {} }, { billing_address: { line1: 'x' } }, { contact: { name: 7 } }]
    const parts = [{ lines: [{ sku: 'PAD-001' }] }, { totals: { total: 'much' } }, ...places]
    const wrong = [rest, ...parts.map((part) => ({ ...draft, ...part })), null, []]
    for (const text of [...wrong.map((one) => JSON.stringify(one)), 'Hello', ''])
      expect(await kept(text), text).to.equal(null)
    expect(await kept(JSON.stringify({ ...draft, reference: 'ord_2' }))).to.equal(null)
  })

  it('is told to nobody else, when the sale is moved to another customer', async () => {
    expect(await kept(JSON.stringify(draft), 4)).to.equal(null)
  })
})

describe('tryton: the price list of a customer', () => {
  const listOf = async (party: object, list: object = {}, more: Record<string, unknown> = {}) => {
    const { rpc } = answering({
      'party.party.search_read': [{ id: 3, ...party }],
      'sale.configuration.read': [{ sale_price_list: 9 }],
      'product.price_list.read': [{ id: 9, tax_included: false, unit: 'product_default', ...list }],
      ...more,
    })
    return createPriceReader(rpc, abilities, trytonMerchant).listOf(3, createCall())
  }

  it("is the shop's own for those who have none", async () => {
    expect((await listOf({ sale_price_list: null }))?.id).to.equal(9)
  })

  it('is read anew each time, and the tree of categories once a minute', async () => {
    let at = 0
    const { rpc, asked } = answering({
      'party.party.search_read': [{ id: 3, sale_price_list: 9 }],
      'product.price_list.read': [{ id: 9, tax_included: false, unit: 'product_default' }],
      'product.price_list.line.search_read': [{ quantity: 10, product: null, category: 5 }],
      'product.category.search_read': [{ id: 6, parent: 5 }],
    })
    const reader = createPriceReader(rpc, abilities, { ...trytonMerchant, now: () => new Date(at) })
    const times = (method: string) => asked.filter(([one]) => one === method).length
    for (const [seconds, trees] of [
      [0, 1],
      [59, 1],
      [61, 2],
    ] as const) {
      at = seconds * 1_000
      const list = await reader.listOf(3, createCall())
      expect(list!.quantities.get(10)!({ categories_all: [6] } as PricedProductRow)).to.equal(true)
      expect(times('product.category.search_read')).to.equal(trees)
    }
    expect(times('product.price_list.line.search_read')).to.equal(3)
  })

  it('holds the taxes that this customer pays, where its prices hold taxes', async () => {
    const exempt = { origin_tax: 1, group: null, tax: null, keep_origin: false, start_date: null, end_date: null }
    const tax = {
      id: 1,
      name: 'GCT',
      description: '',
      type: 'percentage',
      rate: { decimal: '0.15' },
      update_unit_price: null,
    }
    const more = {
      'account.tax.rule.line.search_read': [exempt],
      'account.tax.search_read': [{ ...tax, group: null, childs: [], start_date: null, end_date: null }],
    }
    const party = { sale_price_list: 9, customer_tax_rule: 4 }
    expect((await listOf(party, { tax_included: true }, more))!.taxesOf([1])).to.deep.equal([])
    expect(
      (await listOf({ ...party, customer_tax_rule: null }, { tax_included: true }, more))!.taxesOf([1]),
    ).to.deep.equal([1])
  })
})

describe('tryton: the prices of a page', () => {
  const unit = { id: 1, symbol: 'u', factor: 1 }
  const product = {
    ...{ id: 7, code: 'PAD-001', active: true, list_price: { decimal: '120' }, 'account_category.': null },
    'template.': { id: 3, categories_all: [6], 'default_uom.': unit, 'sale_uom.': unit },
  }

  /** A shop in which party 3 alone has a price list, and what was asked of its products. */
  function shop() {
    const fields: string[][] = []
    const answers: Record<string, (params: unknown[]) => unknown> = {
      'common.db.login': () => [7, 'a'.repeat(64)],
      'model.party.party.fields_get': () => ({ sale_price_list: {} }),
      'model.party.party.search_read': ([domain]) => {
        const id = (domain as [string, string, number][])[0]![2]
        return [{ id, sale_price_list: id === 3 ? 9 : null, customer_tax_rule: null }]
      },
      'model.sale.configuration.read': () => [{ sale_price_list: null }],
      'model.product.price_list.read': () => [{ id: 9, tax_included: false, unit: 'product_default' }],
      'model.product.price_list.line.search_read': () => [{ quantity: 10, product: null, category: 5 }],
      'model.product.category.search_read': () => [{ id: 6, parent: 5 }],
      'model.product.product.search_read': (params) => {
        fields.push(params[4] as string[])
        return [product]
      },
      'model.product.product.read': (params) => {
        const { quantity } = params.at(-1) as { quantity: number }
        return [{ id: 7, sale_price_uom: { decimal: quantity >= 10 ? '90' : '100' } }]
      },
    }
    const methods: string[] = []
    const client = {
      async send({ body }: { body?: unknown }) {
        const { method, params } = body as { method: string; params: unknown[] }
        methods.push(method)
        return { status: 200, headers: {}, text: JSON.stringify({ result: answers[method]!(params) }) }
      },
      onClose() {},
    } as unknown as HttpClient
    const settings = { database: 'merchant', user: 'storefront', password: 'not-a-password' }
    const port = connectPricing(settings, client, trytonMerchant)
    const pricesOf = async (party: string | null) => {
      const [price] = await port.prices(['PAD-001'], party, createCall())
      return [price!.price_type, price!.amount, price!.breaks.map(({ amount }) => amount)]
    }
    const looksAtCategories = () => fields.splice(0).map((some) => some.includes('template.categories_all'))
    return { pricesOf, looksAtCategories, methods }
  }

  it("are read without what only price lists look at, until a customer's list is met", async () => {
    const { pricesOf, looksAtCategories } = shop()
    const listed = ['LIST', '120.00', []]
    const own = ['CONTRACT', '100.00', ['90.00']]
    for (const party of [null, '4']) {
      expect(await pricesOf(party)).to.deep.equal(listed)
      expect(looksAtCategories()).to.deep.equal([false])
    }
    expect(await pricesOf('3')).to.deep.equal(own)
    expect(looksAtCategories()).to.deep.equal([false, true])
    for (const [party, price] of [
      ['3', own],
      ['4', listed],
    ] as const) {
      expect(await pricesOf(party)).to.deep.equal(price)
      expect(looksAtCategories()).to.deep.equal([true])
    }
    expect(await pricesOf(null)).to.deep.equal(listed)
    expect(looksAtCategories()).to.deep.equal([false])
  })

  it('cost one question about modules when the first customer asks, and then none', async () => {
    const { pricesOf, methods } = shop()
    const about = () => methods.splice(0).filter((method) => method.endsWith('.fields_get'))
    await pricesOf('4')
    expect(about()).to.deep.equal(['model.party.party.fields_get'])
    await pricesOf('4')
    expect(methods).to.deep.equal(['model.product.product.search_read', 'model.party.party.search_read'])
  })
})

describe('tryton: what several companies keep in one database', () => {
  const ledgerOf = (company?: number) => {
    const { rpc, asked } = answering({ 'sale.sale.search_count': 0, 'account.invoice.search_count': 0 })
    const taxes = { table: async () => new Map() }
    const ledger = {
      rpc,
      abilities,
      taxes,
      settings: { company },
      facts: trytonMerchant,
    } as unknown as AccountingContext
    return { ledger, asked }
  }
  const page = { limit: 10, offset: 0 }
  const reads: Record<string, (ledger: AccountingContext) => Promise<unknown>> = {
    'the orders of a customer': (ledger) => createOrderReader(ledger).orders('3', page, createCall()),
    'an order': (ledger) => createOrderReader(ledger).order('3', { order_id: '7' }, createCall()),
    'orders that changed': (ledger) =>
      createOrderChangeFeed(ledger, createOrderReader(ledger))(
        { since: '2026-11-21T00:00:00Z', ...page },
        createCall(),
      ),
    'the invoices of a customer': (ledger) =>
      createInvoiceReader(ledger).invoices('3', { ...page, today: '2026-11-21' }, createCall()),
    'invoices that changed': (ledger) =>
      createInvoiceChangeFeed(ledger)({ since: '2026-11-21T00:00:00Z', ...page }, createCall()),
    'what a customer has ordered on credit': (ledger) => readOpenOrderTotal(ledger, 3, createCall()),
  }

  for (const [name, read] of Object.entries(reads))
    it(`is kept apart: ${name}`, async () => {
      for (const company of [undefined, 2]) {
        const { ledger, asked } = ledgerOf(company)
        await read(ledger)
        const found = asked.filter(([method]) => /^(sale\.sale|account\.invoice)\.search/.test(method))
        const own = found.filter(([, [domain]]) => JSON.stringify(domain).includes(`["company","=",${company ?? 1}]`))
        // Of the invoices of sales that were found by their company nobody asks again.
        const others = found.filter(([, [domain]]) => !JSON.stringify(domain).includes('["sales","in"'))
        expect(own.length).to.equal(others.length).and.above(0)
      }
    })
})

describe('tryton: the coupons of an order', () => {
  const used = (uses: number, coupon: object) => {
    const { rpc, asked } = answering({
      'sale.promotion.coupon.number.search_read': [
        {
          id: 5,
          number: 'ONCE',
          active: false,
          'coupon.': { id: 2, promotion: 1, number_of_use: 1, per_party: false, ...coupon },
        },
      ],
      'sale.sale.search_count': uses,
    })
    const ledger = { rpc, abilities, settings: {} } as unknown as AccountingContext
    const promotions = [{ code: 'ONCE', description: null, discount: '1.00' }]
    return { over: hasOverusedCoupon(ledger, { ...draft, promotions }, createCall()), asked }
  }

  it('are used too often when more sales have them than may', async () => {
    expect(await used(1, {}).over).to.equal(false)
    expect(await used(2, {}).over).to.equal(true)
    expect(await used(2, { number_of_use: 0 }).over).to.equal(false)
  })

  it('are counted for one customer where each has their own', async () => {
    const { over, asked } = used(1, { per_party: true })
    expect(await over).to.equal(false)
    expect(asked.at(-1)).to.deep.equal([
      'sale.sale.search_count',
      [
        [
          ['coupons', '=', 5],
          ['party', '=', 3],
        ],
      ],
    ])
  })
})
