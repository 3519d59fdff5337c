import { expect } from 'chai'
import { tryton } from '../../../adapters/tryton/adapter.ts'
import { requiredButtons, requiredRights } from '../../../adapters/tryton/doctor/account-rights.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { type System, systems } from '../../../src/ports/system.ts'
import { createCall } from '../../support/create-call.ts'
import { trytonMerchant } from '../../support/tryton/connect-tryton.ts'

type Answers = Record<string, unknown>
const MODULES = ['product', 'stock', 'sale', 'account_product', 'account_invoice', 'web_shop', 'account_credit_limit']
const MORE = [
  'sale_credit_limit',
  'sale_price_list',
  'product_attribute',
  'sale_secondary_unit',
  'sale_promotion',
  'sale_promotion_coupon',
]
const right = { read: 1, write: 0, create: 0, delete: 0 }
const kept = { ...right, write: 1, create: 1 }
const access = Object.fromEntries(
  requiredRights.flatMap(({ models, rights }) => models.map((model) => [model, rights.length > 1 ? kept : right])),
)
const tax = { 'account_category.': { customer_taxes_used: [1] } }

/** A Tryton without any problem. */
const well: Answers = {
  'common.server.version': '6.0.29',
  'common.db.login': [2, 'f'.repeat(64)],
  'res.user.get_preferences': { groups: [15], company: 1, companies: [1] },
  'company.company.search_read': [
    { id: 1, timezone: 'America/Jamaica', 'party.': { name: 'Spares' }, 'currency.': { code: 'JMD' } },
  ],
  'ir.module.search_read': [...MODULES, ...MORE].map((name) => ({ name })),
  'ir.model.search_read': [{ model: 'sale.sale', name: 'Sale' }],
  'ir.model.access.get_access': { ...access, 'party.party': kept, 'res.user': right },
  'ir.model.button.search_read': requiredButtons.flatMap(({ model, names }) =>
    names.map((name) => ({ name, groups: [15], 'model.': { model } })),
  ),
  'stock.location.search_read': [{ id: 1, name: 'Kingston', code: 'KGN' }],
  'product.category.search_read': [
    { id: 1, name: 'Catalog' },
    { id: 2, name: 'Tags' },
  ],
  'product.attribute.search_read': [{ id: 1, name: 'brand' }],
  'product.product.search_read': [
    { id: 7, code: 'PAD-001', active: true, list_price: { decimal: '10' }, ...tax },
    { id: 8, code: 'PAD-002', active: true, list_price: { decimal: '20' }, ...tax },
  ],
  'product.product.search_count': 0,
  'account.configuration.read': [{ tax_rounding: 'line', default_customer_payment_term: 1 }],
  'sale.configuration.read': [{ sale_invoice_method: 'order', sale_shipment_method: 'order' }],
  'account.invoice.fields_get': { amount_to_pay: {} },
}

describe('the examination of a Tryton database', () => {
  async function look(changed: Answers = {}, of: { settings?: object; only?: readonly System[] } = {}) {
    const asked: string[] = []
    const answers = { ...well, ...changed }
    const client = {
      async send({ body }: { body?: unknown }) {
        const { method, params } = body as { method: string; params: unknown[] }
        const name = method.replace(/^model\./, '')
        asked.push(name)
        const answer = answers[name] ?? (name.endsWith('fields_get') ? fieldsOf(params) : [])
        if (typeof answer === 'number' && name !== 'product.product.search_count')
          return { status: answer, headers: {}, text: '' }
        if (answer instanceof Error) throw answer
        const envelope =
          answer instanceof Object && 'refused' in answer ? { error: answer.refused } : { result: answer }
        return { status: 200, headers: {}, text: JSON.stringify(envelope) }
      },
      onClose() {},
    } as unknown as HttpClient
    const settings = { database: 'merchant', user: 'storefront', password: 'not-a-password', ...of.settings }
    const found: DoctorFinding[] = []
    const examination = { systems: of.only ?? systems, call: () => createCall() }
    for await (const one of tryton.examine!(settings, client, trytonMerchant, examination)) found.push(one)
    return { found, asked, one: (check: string) => found.find((finding) => finding.check === check) }
  }
  const fieldsOf = ([fields]: unknown[]) => Object.fromEntries((fields as string[]).map((field) => [field, {}]))
  const ill = (found: readonly DoctorFinding[]) => found.filter(({ severity }) => severity !== 'note')

  it('finds no problem in a correct setup', async () => {
    const { found } = await look()
    expect(ill(found)).to.deep.equal([])
  })

  it('checks only the systems that the merchant reads from it', async () => {
    const { asked } = await look({}, { only: ['inventory'] })
    expect(asked).to.not.include('account.configuration.read').and.not.include('ir.model.button.search_read')
  })

  for (const [what, changed, check, severity, remedy] of [
    ['a page that is no Tryton', { 'common.server.version': 404 }, 'address', 'error', /address/],
    ['another series', { 'common.server.version': '7.4.1' }, 'version', 'warning', /6\.0/],
    ['an unknown database', { 'common.db.login': 404 }, 'database', 'error', /\.database/],
    [
      'an unknown database of a series that tries for long to connect to it',
      { 'common.server.version': '8.2.1', 'common.db.login': new UpstreamError('timeout', 'no response within 10 s') },
      'database',
      'error',
      /\.database/,
    ],
    ['a refused login', { 'common.db.login': 401 }, 'login', 'error', /\.password.*active/],
    [
      'a locked login',
      { 'common.db.login': new UpstreamError('rate_limited', 'common.db.login responded 429') },
      'login_locked',
      'error',
      /wait five minutes/,
    ],
    [
      'a company that is another one',
      { 'res.user.get_preferences': { groups: [15], company: 2, companies: [2] } },
      'company_of_account',
      'error',
      /Add the company/,
    ],
    ['no company at all', { 'company.company.search_read': [] }, 'company', 'error', /existing one: none/],
    [
      'an account that may post to the books',
      { 'ir.model.access.get_access': { ...access, 'account.move': kept } },
      'rights_too_wide',
      'warning',
      /only the rights/,
    ],
    [
      'an account that administers',
      { 'ir.model.access.get_access': { ...access, 'res.user': kept } },
      'administrator',
      'warning',
      /only the rights/,
    ],
    [
      'a right that is missing',
      { 'ir.model.access.get_access': { ...access, 'sale.sale': right } },
      'right sale.sale',
      'error',
      /"write, create" on sale\.sale/,
    ],
    [
      'a button of others',
      { 'ir.model.button.search_read': [{ name: 'quote', groups: [13], 'model.': { model: 'sale.sale' } }] },
      'button sale.sale.quote',
      'error',
      /button quote of sale\.sale/,
    ],
    ['no warehouse', { 'stock.location.search_read': [] }, 'warehouse', 'error', /warehouse/],
    ['no root of the catalog', { 'product.category.search_read': [] }, 'catalog_root', 'warning', /catalog_root/],
    [
      'taxes that are rounded by document',
      { 'account.configuration.read': [{ tax_rounding: 'document', default_customer_payment_term: 1 }] },
      'tax_rounding',
      'note',
      /add up/,
    ],
    [
      'invoices that are made by hand',
      { 'sale.configuration.read': [{ sale_invoice_method: 'manual', sale_shipment_method: 'order' }] },
      'sale_invoice_method',
      'note',
      /If this is intended/,
    ],
    [
      'products without a price in this company',
      { 'product.product.search_read': [{ id: 7, code: 'PAD-001', active: true, list_price: null, ...tax }] },
      'product_without_price',
      'error',
      /List Price.*\.company/,
    ],
    [
      'products that cost nothing',
      { 'product.product.search_read': [{ id: 7, code: 'P', active: true, list_price: { decimal: '0' }, ...tax }] },
      'price_of_zero',
      'error',
      /Salable/,
    ],
    ['products without a code', { 'product.product.search_count': 3 }, 'product_without_code', 'note', /SKU/],
  ] as [string, Answers, string, string, RegExp][]) {
    it(`finds ${what}`, async () => {
      const { one, found } = await look(changed)
      expect(one(check), JSON.stringify(found)).to.include({ severity })
      expect(one(check)!.remedy).to.match(remedy)
    })
  }

  for (const module of MODULES) {
    it(`finds that ${module} is missing, and says how to activate it`, async () => {
      const rest = [...MODULES, ...MORE].filter((name) => name !== module).map((name) => ({ name }))
      const { one } = await look({ 'ir.module.search_read': rest })
      expect(one(`module ${module}`)!.severity).to.not.equal('note')
      expect(one(`module ${module}`)!.remedy).to.include(`tryton-modules-${module.replaceAll('_', '-')} and activate`)
    })
  }

  it('finds customers with a credit limit and no term', async () => {
    const { one } = await look({
      'account.configuration.read': [{ tax_rounding: 'line', default_customer_payment_term: null }],
      'party.party.search_read': [
        { id: 5, credit_limit_amount: { decimal: '100' }, customer_payment_term: null },
        { id: 6, credit_limit_amount: { decimal: '100' }, customer_payment_term: 1 },
        { id: 7, credit_limit_amount: null, customer_payment_term: null },
      ],
    })
    expect(one('payment_term')!.finding).to.match(/^1 customers .*\(parties 5\)$/)
  })

  for (const [what, country, changed, severity, remedy] of [
    ['no country', 'ZZ', {}, 'error', /ISO 3166-1/],
    ['a country that Tryton lacks', 'JM', { 'country.country.search': [] }, 'warning', /trytond_import_countries/],
    [
      'a country that the account may not see',
      'JM',
      { 'country.country.search': { refused: ['UserError', ['You are not allowed to access "Country".', '', null]] } },
      'note',
      /"read" on country\.country/,
    ],
  ] as [string, string, Answers, string, RegExp][]) {
    it(`finds ${what} in the settings`, async () => {
      const { one } = await look(changed, { settings: { country } })
      expect(one('country')).to.include({ severity })
      expect(one('country')!.remedy).to.match(remedy)
    })
  }

  it('checks the country of the settings', async () => {
    const { one } = await look({ 'country.country.search': [4] }, { settings: { country: 'JM' } })
    expect(one('country')).to.equal(undefined)
  })

  const tryton8: Answers = {
    'common.server.version': '8.2',
    'ir.model.search_read': [{ id: 1, model: 'a label', name: 'web.shop' }],
    'ir.model.button.search_read': requiredButtons.flatMap(({ model, names }) =>
      names.map((name) => ({ name, groups: [15], model })),
    ),
    'web.shop.search_read': [{ id: 1, name: 'Storefront' }],
  }

  it('finds nothing in a correct Tryton 8.2', async () => {
    const { found, asked } = await look(tryton8)
    expect(ill(found)).to.deep.equal([])
    expect(asked).to.include('web.shop.search_read')
  })

  for (const [shops, finding, remedy, settings] of [
    [[], 'there are 0 web shops', /Create a web shop/, {}],
    [['Storefront', 'Shopify'], 'there are 2 web shops', /web_shop.*Storefront, Shopify/, {}],
    [['Shopify'], 'there is no web shop "Storefront"', /web_shop.*Shopify/, { web_shop: 'Storefront' }],
  ] as const)
    it(`reports of Tryton 8.2 that ${finding}`, async () => {
      const { one } = await look(
        { ...tryton8, 'web.shop.search_read': shops.map((name, id) => ({ id, name })) },
        { settings },
      )
      expect(one('web_shop')).to.include({ severity: 'error', finding })
      expect(one('web_shop')!.remedy).to.match(remedy)
    })

  it('continues when one check times out', async () => {
    const { one } = await look({
      'product.category.search_read': new UpstreamError('timeout', 'no answer within 3000 ms'),
      'product.product.search_count': 3,
    })
    expect(one('examination of settings')!.remedy).to.match(/--timeout/)
    expect(one('product_without_code')).to.be.an('object')
  })

  it('tries a wrong password once, and then stops', async () => {
    const { asked } = await look({ 'common.db.login': 401 })
    expect(asked).to.deep.equal(['common.server.version', 'common.db.login'])
  })

  it('continues when one check is not allowed', async () => {
    const said = ['UserError', ['You are not allowed to access "Category".', '', null]]
    const { one } = await look({
      'product.category.search_read': { refused: said },
      'product.product.search_count': 3,
    })
    expect(one('examination of settings')!.finding).to.match(/not allowed to access "Category"/)
    expect(one('product_without_code')).to.be.an('object')
  })
})
