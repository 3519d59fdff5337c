import { expect } from 'chai'
import type { Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { checkProducts } from '../../../adapters/odoo/doctor/check-products.ts'
import { checkPromotions } from '../../../adapters/odoo/doctor/check-promotions.ts'
import { checkTaxes } from '../../../adapters/odoo/doctor/check-taxes.ts'
import { checkUser } from '../../../adapters/odoo/doctor/check-user.ts'
import { checkWebsitePriceList } from '../../../adapters/odoo/doctor/check-website-price-list.ts'
import type { ExaminationContext } from '../../../adapters/odoo/doctor/examination-context.ts'
import { UpstreamError } from '../../../src/errors.ts'
import { createCall } from '../../support/create-call.ts'
import { odooMerchant } from '../../support/odoo/connect-odoo.ts'
import { promotionRule } from './promotion-rule.ts'

/** Answers each model with records, or with a failure. */
function contextWith(answers: Record<string, object[] | UpstreamError>): ExaminationContext {
  const rpc = {
    call: async () => ({ uid: 2, tz: 'UTC' }),
    async search(_shape: unknown, model: string) {
      const records = answers[model]
      if (records instanceof UpstreamError) throw records
      return { length: records!.length, records }
    },
  } as unknown as Rpc
  const facts = { ...odooMerchant, now: () => new Date('2026-11-25T12:00:00Z') }
  const listDatabases = async () => null
  return { rpc, listDatabases, settings: { api_key: 'secret' }, facts, systems: ['pricing'], call: createCall }
}

describe('odoo: doctor, promotions', () => {
  it('names the programs that the shop does not apply', async () => {
    const programs = [
      { id: 1, name: 'Welcome', trigger: 'with_code' },
      { id: 2, name: 'Ten off', trigger: 'auto' },
      { id: 3, name: 'Friends', trigger: 'with_code' },
      { id: 4, name: 'Ten percent', trigger: 'with_code' },
    ]
    const rules = [promotionRule({ id: 4 }), promotionRule({ id: 3, limit_usage: true })]
    const findings = await checkPromotions(contextWith({ 'loyalty.program': programs, 'loyalty.rule': rules }))
    expect(findings.map(({ severity, check, finding }) => [severity, check, finding])).to.deep.equal([
      ['warning', 'promotion_code', 'the shop accepts none of the codes of these programs: Welcome, Friends'],
      ['warning', 'promotion', 'orders of the shop get no rewards of these programs until staff add them: Ten off'],
    ])
  })

  it('finds nothing without programs and without the module', async () => {
    const missing = new UpstreamError('not_configured', 'loyalty.program responded 404')
    expect(await checkPromotions(contextWith({ 'loyalty.program': [] }))).to.deep.equal([])
    expect(await checkPromotions(contextWith({ 'loyalty.program': missing }))).to.deep.equal([])
  })
})

describe('odoo: doctor, products', () => {
  const findingsFor = async (count: number) => {
    const context = contextWith({})
    const groups = Array.from({ length: count }, (_, i) => ({ default_code: `SKU-${i}`, __count: 2 }))
    const rpc = {
      ...context.rpc,
      call: async (_: unknown, method: string) => (method.endsWith('search_count') ? count : groups),
    } as unknown as Rpc
    return (await checkProducts({ ...context, rpc })).map(({ finding }) => finding)
  }

  it('counts one and several', async () => {
    expect(await findingsFor(1)).to.deep.equal([
      '1 product is for sale',
      '1 product for sale has no Internal Reference: the shop does not show it',
      '1 Internal Reference occurs more than once: SKU-0',
      '1 product has the price 0: it cannot be bought',
      '1 price list is not in JMD: customers with such a list, or with one based on it, see no prices',
    ])
    expect(await findingsFor(2)).to.deep.equal([
      '2 products are for sale',
      '2 products for sale have no Internal Reference: the shop does not show them',
      '2 Internal References occur more than once: SKU-0, SKU-1',
      '2 products have the price 0: they cannot be bought',
      '2 price lists are not in JMD: customers with such a list, or with one based on it, see no prices',
    ])
  })
})

describe('odoo: doctor, taxes', () => {
  const tax = (id: number, amount_type: string, price_include = false, amount = 10) => ({
    ...{ id, name: `Tax ${id}`, invoice_label: false, amount, amount_type, price_include },
    ...{ include_base_amount: false, is_base_affected: true, children_tax_ids: [], original_tax_ids: [] },
  })
  const taxes = [
    tax(1, 'percent'),
    tax(2, 'fixed'),
    tax(3, 'division'),
    tax(4, 'percent', true),
    tax(5, 'fixed', false, -2),
  ]
  const contextOf = (products: object[]) =>
    contextWith({
      'account.tax': taxes,
      'account.fiscal.position': [],
      'product.category': [],
      'product.product': products,
    })
  const findingsFor = (...products: object[]) => checkTaxes(contextOf(products))

  it('names the products with taxes that the shop cannot compute', async () => {
    const findings = await findingsFor(
      { id: 1, default_code: 'PLAIN', taxes_id: [1, 2] },
      { id: 2, default_code: 'DIVIDED', taxes_id: [3] },
      { id: 3, default_code: 'MIXED', taxes_id: [1, 4] },
      { id: 4, default_code: 'DEDUCTED', taxes_id: [5] },
    )
    expect(findings.map(({ severity, check, finding }) => [severity, check, finding])).to.deep.equal([
      [
        'warning',
        'unsupported_tax',
        '2 products have taxes that the shop cannot compute, and cannot be bought: DIVIDED, DEDUCTED',
      ],
    ])
  })

  it('names those that are not one rate, where another system has the prices', async () => {
    const products = [
      { id: 1, default_code: 'RATE', taxes_id: [1] },
      { id: 2, default_code: 'AMOUNT', taxes_id: [1, 2] },
    ]
    const context = { ...contextOf(products), systems: ['accounting'] as const }
    expect((await checkTaxes(context)).map(({ finding }) => finding)).to.deep.equal([
      '1 product has taxes that the shop cannot compute, and cannot be bought: AMOUNT',
    ])
  })

  it('finds nothing otherwise', async () => {
    expect(await findingsFor({ id: 1, default_code: 'PLAIN', taxes_id: [1, 2] })).to.deep.equal([])
  })
})

describe('odoo: doctor, the price list of the website', () => {
  const company = { id: 1, currency_id: { id: 1, name: 'JMD' }, country_id: { id: 1, code: 'JM' } }
  const findingsFor = async (lists: object[]) => {
    const answers = { 'res.company': [company], website: [{ id: 1 }], 'product.pricelist': lists }
    const context = contextWith(answers)
    const rpc = { ...context.rpc, call: async () => ({ is_published: {} }) } as unknown as Rpc
    return (await checkWebsitePriceList({ ...context, rpc })).map(({ severity, finding }) => [severity, finding])
  }

  it('names it, or says that the sales prices count', async () => {
    const list = { id: 4, name: 'Site', currency_id: { id: 1, name: 'JMD' }, country_group_ids: [] }
    expect(await findingsFor([list])).to.deep.equal([
      ['note', "anonymous shoppers see the prices of the price list of Odoo's website: Site"],
    ])
    expect(await findingsFor([])).to.deep.equal([['note', 'anonymous shoppers see the sales prices of the products']])
  })
})

describe('odoo: doctor, the key', () => {
  const findingsFor = async (expiration_date: string | false) => {
    const keys = [{ id: 1, name: 'shop', expiration_date }]
    return (await checkUser(contextWith({ 'res.users.apikeys': keys }))).map(({ severity, finding }) => [
      severity,
      finding,
    ])
  }

  it('warns 14 days before it expires', async () => {
    expect(await findingsFor('2026-12-09 13:00:00')).to.deep.equal([
      ['warning', 'the API key "shop" expires in 14 days'],
    ])
    expect(await findingsFor('2026-12-10 13:00:00')).to.deep.equal([['note', 'the API key "shop" expires in 15 days']])
    expect(await findingsFor('2026-11-26 13:00:00')).to.deep.equal([['warning', 'the API key "shop" expires in 1 day']])
    expect(await findingsFor('2026-11-25 13:00:00')).to.deep.equal([
      ['warning', 'the API key "shop" expires in less than a day'],
    ])
    expect(await findingsFor('2026-11-25 11:00:00')).to.deep.equal([['warning', 'the API key "shop" has expired']])
    expect(await findingsFor('2026-11-24 13:00:00')).to.deep.equal([['warning', 'the API key "shop" has expired']])
    expect(await findingsFor(false)).to.deep.equal([])
  })
})
