import { expect } from 'chai'
import { checkTaxes } from '../../../adapters/odoo/doctor/check-taxes.ts'
import { contextWith } from './doctor-context.ts'

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
    expect(findings.map(({ severity, check, finding, remedy }) => [severity, check, finding, remedy])).to.deep.equal([
      [
        'warning',
        'unsupported_tax',
        '2 products have taxes that the shop cannot compute, and cannot be bought: DIVIDED, DEDUCTED',
        'Give them taxes of the types Percentage, Fixed or Group of Taxes, none of them below zero',
      ],
    ])
  })

  it('names those that are not one rate, where another system has the prices', async () => {
    const products = [
      { id: 1, default_code: 'RATE', taxes_id: [1] },
      { id: 2, default_code: 'AMOUNT', taxes_id: [1, 2] },
    ]
    const context = { ...contextOf(products), systems: ['accounting'] as const }
    expect((await checkTaxes(context)).map(({ finding, remedy }) => [finding, remedy])).to.deep.equal([
      [
        '1 product has taxes that the shop cannot compute, and cannot be bought: AMOUNT',
        'Give each of them one tax of the type Percentage: another system has the prices',
      ],
    ])
  })

  it('finds nothing otherwise', async () => {
    expect(await findingsFor({ id: 1, default_code: 'PLAIN', taxes_id: [1, 2] })).to.deep.equal([])
  })
})
