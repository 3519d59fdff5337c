import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { parsePromotionFormula } from '../../../adapters/tryton/pricing/promotion-formula.ts'
import { roundUnitPrice } from '../../../adapters/tryton/pricing/round-unit-price.ts'

describe("tryton: a promotion's formula", () => {
  const file = new URL('../../../fixtures/tryton-formulas.json', import.meta.url)
  const table = JSON.parse(readFileSync(file, 'utf8')) as { formula: string; prices: Record<string, string> | null }[]

  it('gives the result of a real Tryton, or is not supported', () => {
    const counted = table.map(({ formula, prices }) => {
      const known = parsePromotionFormula(formula)
      const ours =
        known && prices && Object.fromEntries(Object.keys(prices).map((price) => [price, roundUnitPrice(known(price))]))
      return { formula, prices: ours }
    })
    const there = table.map(({ formula, prices }) => {
      const plain = prices && Object.entries(prices).map(([price, made]) => [price, new Decimal(made).toFixed()])
      return { formula, prices: parsePromotionFormula(formula) ? plain && Object.fromEntries(plain) : null }
    })
    expect(counted).to.deep.equal(there)
    expect(table.filter(({ formula, prices }) => prices && parsePromotionFormula(formula))).to.have.length.above(25)
  })

  it('is not supported beyond arithmetic', () => {
    for (const formula of [
      'unit_price if unit_price > 5 else 5',
      'unit_price ** 2',
      'unit_price // 3',
      'unit_price % 3',
      'cost_price',
      'min(unit_price, 5)',
      'round(unit_price)',
      'unit_price.sqrt()',
      'unit_price.__class__',
      '[unit_price][0]',
      'unit_price, 3',
      'unit_price; 3',
      'unit_price # half',
      'unit_price\n/ 2',
      '',
      '(',
      'this',
      "'5'",
      'Decimal(" 5 ")',
      'unit_price == 5',
      'true',
      '0x10',
      '1_000',
      "Decimal('NaN')",
      "Decimal('5', '6')",
      'unit_price["min"](5)',
      `${'('.repeat(5_000)}unit_price${')'.repeat(5_000)}`,
    ])
      expect(parsePromotionFormula(formula), formula).to.equal(null)
  })

  it('throws where Tryton has no result', () => {
    expect(() => parsePromotionFormula('5 / (unit_price - 100)')!('100')).to.throw('no number')
    expect(() => parsePromotionFormula("(unit_price * 1e25).quantize(Decimal('0.0001'))")!('100')).to.throw(
      'too many digits',
    )
  })
})
