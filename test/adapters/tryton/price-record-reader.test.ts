import { expect } from 'chai'
import { createContext } from '../../../adapters/tryton/context.ts'
import { createPriceRecordReader, type PricedProductRow } from '../../../adapters/tryton/pricing/price-record-reader.ts'
import { connectPricing } from '../../../adapters/tryton/pricing-port.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { createCall } from '../../support/create-call.ts'
import { trytonMerchant } from '../../support/tryton/connect-tryton.ts'
import { answering, capabilities } from './fake-rpc.ts'

describe('tryton: the price list of a customer', () => {
  const listOf = async (party: object, list: object = {}, more: Record<string, unknown> = {}) => {
    const { rpc } = answering({
      'party.party.search_read': [{ id: 3, ...party }],
      'sale.configuration.read': [{ sale_price_list: 9 }],
      'product.price_list.read': [{ id: 9, tax_included: false, unit: 'product_default', ...list }],
      ...more,
    })
    return createPriceRecordReader(rpc, capabilities, trytonMerchant).readCustomerPriceList(3, createCall())
  }

  it('is the default of the shop for customers without one', async () => {
    expect((await listOf({ sale_price_list: null }))?.id).to.equal(9)
  })

  it('is read each time, and the category tree once a minute', async () => {
    let at = 0
    const { rpc, asked } = answering({
      'party.party.search_read': [{ id: 3, sale_price_list: 9 }],
      'product.price_list.read': [{ id: 9, tax_included: false, unit: 'product_default' }],
      'product.price_list.line.search_read': [{ quantity: 10, product: null, category: 5 }],
      'product.category.search_read': [{ id: 6, parent: 5 }],
    })
    const reader = createPriceRecordReader(rpc, capabilities, { ...trytonMerchant, now: () => new Date(at) })
    const times = (method: string) => asked.filter(([one]) => one === method).length
    for (const [seconds, trees] of [
      [0, 1],
      [59, 1],
      [61, 2],
    ] as const) {
      at = seconds * 1_000
      const list = await reader.readCustomerPriceList(3, createCall())
      expect(list!.quantities.get(10)!({ categories_all: [6] } as PricedProductRow)).to.equal(true)
      expect(times('product.category.search_read')).to.equal(trees)
    }
    expect(times('product.price_list.line.search_read')).to.equal(3)
  })

  it("includes the customer's own taxes when its prices include tax", async () => {
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
    expect((await listOf(party, { tax_included: true }, more))!.includedTaxIds([1])).to.deep.equal([])
    expect(
      (await listOf({ ...party, customer_tax_rule: null }, { tax_included: true }, more))!.includedTaxIds([1]),
    ).to.deep.equal([1])
  })
})

describe('tryton: the prices of a page', () => {
  const unit = { id: 1, symbol: 'u', factor: 1 }
  const product = {
    id: 7,
    code: 'PAD-001',
    active: true,
    list_price: { decimal: '120' },
    'account_category.': null,
    'template.': { id: 3, categories_all: [6], 'default_uom.': unit, 'sale_uom.': unit },
  }

  /** A shop in which only party 3 has a price list, and the calls about its products. */
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
    const port = connectPricing(createContext(settings, client, trytonMerchant))
    const pricesOf = async (party: string | null) => {
      const [price] = await port.prices(['PAD-001'], party, createCall())
      return [price!.price_type, price!.amount, price!.breaks.map(({ amount }) => amount)]
    }
    const looksAtCategories = () => fields.splice(0).map((some) => some.includes('template.categories_all'))
    return { pricesOf, looksAtCategories, methods }
  }

  it('are read without the fields of price lists until a customer has one', async () => {
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

  it('take one call about modules for the first customer, and then none', async () => {
    const { pricesOf, methods } = shop()
    const about = () => methods.splice(0).filter((method) => method.endsWith('.fields_get'))
    await pricesOf('4')
    expect(about()).to.deep.equal(['model.party.party.fields_get'])
    await pricesOf('4')
    expect(methods).to.deep.equal(['model.product.product.search_read', 'model.party.party.search_read'])
  })
})
