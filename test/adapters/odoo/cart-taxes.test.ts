import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { computeCartTaxes, roundTogether, type TaxedLine } from '../../../adapters/odoo/pricing/cart-taxes.ts'
import { combineTaxes, type TaxRow } from '../../../adapters/odoo/pricing/combined-tax.ts'
import { computeTaxes } from '../../../adapters/odoo/pricing/tax-amounts.ts'

/** The taxes of a case, in their order: `fixed 2.5`, `percent 15`. */
type Case = [kind: 'percent' | 'fixed', amount: number, more?: Partial<TaxRow>][]
const included = { isIncluded: true }
const affects = { affectsLater: true }

function lineOf(price: string, quantity: number, taxes: Case): TaxedLine {
  const rows = taxes.map(([kind, amount, more], i): [number, TaxRow] => [
    i + 1,
    {
      ...{ id: i + 1, name: `T${i + 1}`, label: '', kind, amount: new Decimal(amount), order: i, childIds: [] },
      ...{ isIncluded: false, affectsLater: false, isAffected: true, ...more },
    },
  ])
  return { price: new Decimal(price), quantity, tax: combineTaxes([...new Map(rows).keys()], new Map(rows))! }
}
const taxOf = (price: string, quantity: number, taxes: Case) => taxesOf([lineOf(price, quantity, taxes)], false)[0]
const taxesOf = (lines: TaxedLine[], isGlobal: boolean) =>
  computeCartTaxes(lines, { isGlobal, digits: 2 }).map((tax) => tax.toFixed(2))

/** The amounts are those of Odoo 19: test/live/odoo-taxes.live.ts compares many more. */
describe('odoo: taxes of a cart', () => {
  it('multiplies an amount per unit by the quantity', () => {
    expect(taxOf('33.35', 3, [['fixed', 2.55]])).to.equal('7.65')
  })

  it('rounds each tax of a line', () => {
    // 5.55 × 0.15 is 0.8325, and 5.55 × 0.0235 is 0.1304: 0.83 and 0.13, and not 0.9629.
    expect(
      taxOf('5.55', 1, [
        ['percent', 15],
        ['percent', 2.35],
      ]),
    ).to.equal('0.96')
    expect(
      taxOf('0.10', 1, [
        ['percent', 5],
        ['percent', 5],
      ]),
    ).to.equal('0.02')
  })

  it('taxes an amount per unit that is part of the base of later taxes', () => {
    expect(
      taxOf('19.95', 2, [
        ['fixed', 1.25, affects],
        ['percent', 15],
      ]),
    ).to.equal('8.86')
    expect(
      taxOf('19.95', 2, [
        ['fixed', 1.25, affects],
        ['percent', 15, { isAffected: false }],
      ]),
    ).to.equal('8.49')
  })

  it('takes included taxes out of the price: amounts per unit first, percentages from the same rest', () => {
    // 17.77 × 2 is 35.54; less 2.30 per unit is 33.24, of which 15/115 is 4.34.
    expect(
      taxOf('17.77', 2, [
        ['percent', 15, included],
        ['fixed', 1.15, included],
      ]),
    ).to.equal('6.64')
    expect(
      taxOf('8.13', 1, [
        ['percent', 15, included],
        ['percent', 3.1, included],
      ]),
    ).to.equal('1.24')
  })

  it('takes an amount per unit out of a price that is smaller', () => {
    const lines = [
      lineOf('0', 1, [['fixed', 0.05, { ...included, ...affects }]]),
      lineOf('1.00', 2, [['fixed', 1.5, included]]),
    ]
    expect(taxesOf(lines, false)).to.deep.equal(['0.05', '3.00'])
    expect(
      taxOf('1.00', 1, [
        ['fixed', 2.15, included],
        ['percent', 15, included],
      ]),
    ).to.equal('2.00')
  })

  it('adds an excluded tax to a price that includes another, as in a test of Odoo (test_random_case_3)', () => {
    const line = lineOf('2300.00', 1, [
      ['percent', 15],
      ['percent', 5.5, included],
    ])
    const { net, amounts } = computeTaxes(line.tax.terms, line.price, 1, (amount) =>
      amount.toDecimalPlaces(2, Decimal.ROUND_HALF_UP),
    )
    expect([net, ...amounts].map(String)).to.deep.equal(['2180.09', '327.01', '119.91'])
    const exact = computeTaxes(line.tax.terms, line.price, 1, (amount) => amount)
    const six = [exact.net, ...exact.amounts].map((amount) => amount.toFixed(6))
    expect(six).to.deep.equal(['2180.094787', '327.014218', '119.905213'])
  })

  it('takes an included tax out before one that is part of its base', () => {
    // 41.05 has 4 % on the rest: 1.58. The 6.25 % are then part of 39.47: 2.32.
    expect(
      taxOf('41.05', 1, [
        ['percent', 6.25, { ...included, ...affects }],
        ['percent', 4, included],
      ]),
    ).to.equal('3.90')
  })

  it('rounds each tax over all lines where the company does, and gives the difference to the largest', () => {
    const lines = [lineOf('12.12', 12, [['percent', 23]]), lineOf('12.13', 12, [['percent', 23]])]
    expect(taxesOf(lines, false)).to.deep.equal(['33.45', '33.48'])
    const halves = ['0.10', '0.30', '0.10'].map((price) => lineOf(price, 1, [['percent', 5]]))
    expect(taxesOf(halves, false)).to.deep.equal(['0.01', '0.02', '0.01'])
    expect(taxesOf(halves, true)).to.deep.equal(['0.01', '0.01', '0.01'])
  })

  it('rounds amounts together', () => {
    const round = (...amounts: string[]) =>
      roundTogether(
        amounts.map((amount) => new Decimal(amount)),
        2,
      ).map(String)
    expect(round('0.004', '0.004', '0.004')).to.deep.equal(['0.01', '0', '0'])
    expect(round('1.005', '2.005', '3.005', '4.005')).to.deep.equal(['1.01', '2.01', '3', '4'])
    expect(round('1.25', '2.5')).to.deep.equal(['1.25', '2.5'])
    expect(round()).to.deep.equal([])
  })
})
