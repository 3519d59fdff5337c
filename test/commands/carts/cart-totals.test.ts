import { expect } from 'chai'
import fc from 'fast-check'
import {
  addShipping,
  type CartTotals,
  computeCartTotals,
  type TotalsLine,
} from '../../../src/commands/carts/cart-totals.ts'
import { UpstreamError } from '../../../src/errors.ts'
import { computeOrderTotals as ledgerTotals } from '../../../src/sandbox/accounting/order-totals.ts'

/** A line in integers: price in millionths, quantity in thousandths, discount in hundredths, tax rate in ten-thousandths. */
interface IntegerLine {
  price: bigint
  quantity: bigint
  off: bigint
  rate: bigint
}

const text = (value: bigint, decimals: number): string => {
  const digits = String(value).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
const cents = (amount: string): bigint => {
  expect(amount).to.match(/^\d+\.\d\d$/)
  return BigInt(amount.replace('.', ''))
}
const divided = (value: bigint, by: bigint): bigint => (value * 2n + by) / (by * 2n)
const grossOf = ({ price, quantity }: Pick<IntegerLine, 'price' | 'quantity'>) => divided(price * quantity, 10_000_000n)
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

const whole = fc
  .record({
    price: fc.oneof(fc.bigInt(0n, 10n ** 12n), fc.bigInt(0n, 3_000_000n)),
    quantity: fc.oneof(
      fc.bigInt(1n, 999_999_000n),
      fc.bigInt(1n, 20n).map((units) => units * 1_000n),
    ),
    share: fc.bigInt(0n, 100n),
    rate: fc.constantFrom(0n, 1_500n, 1_650n, 2_000n, 725n, 3_333n),
  })
  .map(({ share, ...line }): IntegerLine => ({ ...line, off: (grossOf(line) * share) / 100n }))
const cart = fc.array(whole, { maxLength: 30 })

const asLine = ({ price, quantity, off, rate }: IntegerLine): TotalsLine => ({
  unit_price: text(price, 6),
  quantity: text(quantity, 3),
  discount: text(off, 2),
  tax: { code: 'T', name: 'Tax', rate: text(rate, 4) },
})
const counted = (lines: readonly IntegerLine[], included: boolean) => computeCartTotals(lines.map(asLine), included, 2)

function holds(check: (lines: readonly IntegerLine[], included: boolean, counted: CartTotals) => void): void {
  const property = fc.property(cart, fc.boolean(), (lines, included) => {
    check(lines, included, counted(lines, included))
  })
  fc.assert(property, { numRuns: 500 })
}

describe('cart totals', () => {
  it('match integer arithmetic, with and without tax in the prices', () => {
    holds((lines, included, { lines: shown, totals }) => {
      const own = lines.map((line) => {
        const rest = grossOf(line) - line.off
        const tax = divided(rest * line.rate, included ? 10_000n + line.rate : 10_000n)
        return { gross: grossOf(line), tax, total: included ? rest : rest + tax }
      })
      expect(shown.map((line) => [cents(line.tax), cents(line.line_total)])).to.deep.equal(
        own.map(({ tax, total }) => [tax, total]),
      )
      expect(cents(totals.subtotal)).to.equal(sum(own.map(({ gross }) => gross)))
      expect(cents(totals.discount_total)).to.equal(sum(lines.map(({ off }) => off)))
      expect(cents(totals.tax_total)).to.equal(sum(own.map(({ tax }) => tax)))
      expect(cents(totals.total)).to.equal(sum(own.map(({ total }) => total)))
    })
  })

  it('are the sums of the lines, and never negative', () => {
    holds((_lines, included, { lines, totals }) => {
      expect(cents(totals.total)).to.equal(sum(lines.map((line) => cents(line.line_total))))
      expect(cents(totals.tax_total)).to.equal(sum(lines.map((line) => cents(line.tax))))
      const rest = cents(totals.subtotal) - cents(totals.discount_total)
      expect(cents(totals.total)).to.equal(rest + (included ? 0n : cents(totals.tax_total)))
    })
  })

  it('group the taxes by code and rate, without a remainder', () => {
    holds((lines, _included, { totals }) => {
      expect(totals.taxes.length).to.equal(new Set(lines.map(({ rate }) => rate)).size)
      expect(sum(totals.taxes.map(({ amount }) => cents(amount)))).to.equal(cents(totals.tax_total))
      const bases = sum(totals.taxes.map(({ base }) => cents(base)))
      expect(bases + cents(totals.tax_total)).to.equal(cents(totals.total))
    })
  })

  it('equal those of the embedded accounting system', () => {
    holds((lines, included, { lines: shown, totals }) => {
      const rows = lines.map(asLine)
      const ledger = ledgerTotals(
        rows,
        rows.map(({ tax }) => tax),
        included,
      )
      expect(totals).to.deep.equal(ledger.totals)
      expect(shown.map((line) => [line.tax, line.line_total])).to.deep.equal(
        ledger.lines.map((line) => [line.tax.amount, line.line_total]),
      )
    })
  })

  it('round each line half up, not the sum', () => {
    const half = { price: 5_000n, quantity: 1_000n, off: 0n, rate: 0n }
    expect(counted([half, half, half], false).totals).to.include({ subtotal: '0.03', total: '0.03' })
  })

  it('have the digits of the currency', () => {
    const line = { unit_price: '99.5', quantity: '1', discount: '0', tax: { code: 'T', name: 'T', rate: '0.1' } }
    expect(computeCartTotals([line], false, 0).totals).to.include({ subtotal: '100', tax_total: '10', total: '110' })
  })

  it('treat equal rates in different notations as one', () => {
    const line = (rate: string) => ({
      unit_price: '1',
      quantity: '1',
      discount: '0',
      tax: { code: 'T', name: '', rate },
    })
    expect(computeCartTotals([line('0.15'), line('0.150')], false, 2).totals.taxes).to.have.length(1)
  })

  it('have the tax that a system gives for a line, in prices without tax and with it', () => {
    const tax = { code: 'FEE', name: 'Fee', rate: '0.15', amount: '7.30' }
    const line = { unit_price: '10.00', quantity: '3', discount: '1.00', tax }
    const taxes = (base: string) => [{ code: 'FEE', name: 'Fee', rate: '0.15', base, amount: '7.30' }]
    const excluded = computeCartTotals([line], false, 2)
    expect(excluded.lines).to.deep.equal([{ discount: '1.00', tax: '7.30', line_total: '36.30' }])
    expect(excluded.totals).to.deep.include({ tax_total: '7.30', total: '36.30', taxes: taxes('29.00') })
    const included = computeCartTotals([line], true, 2)
    expect(included.lines).to.deep.equal([{ discount: '1.00', tax: '7.30', line_total: '29.00' }])
    expect(included.totals).to.deep.include({ tax_total: '7.30', total: '29.00', taxes: taxes('21.70') })
  })

  it('have a base below zero where an included tax is larger than its line, as with an amount per unit and a discount', () => {
    const tax = { code: 'FEE', name: 'Fee', rate: '0', amount: '6.00' }
    const { lines, totals } = computeCartTotals(
      [{ unit_price: '10.00', quantity: '3', discount: '27.00', tax }],
      true,
      2,
    )
    expect(lines).to.deep.equal([{ discount: '27.00', tax: '6.00', line_total: '3.00' }])
    expect(totals).to.deep.equal({
      ...{ subtotal: '30.00', discount_total: '27.00', tax_total: '6.00', shipping_total: '0.00', total: '3.00' },
      taxes: [{ code: 'FEE', name: 'Fee', rate: '0', base: '-3.00', amount: '6.00' }],
      tax_included: true,
    })
  })

  it('have the tax that a system gives for a delivery', () => {
    const tax = { code: 'T', name: 'T', rate: '0.15' }
    const { totals } = computeCartTotals([{ unit_price: '10.00', quantity: '1', discount: '0', tax }], false, 2)
    const sent = addShipping(totals, { price: '4.00', tax: { ...tax, amount: '0.59' } }, 2)
    expect(sent).to.deep.include({ tax_total: '2.09', shipping_total: '4.00', total: '16.09' })
  })

  for (const [what, tax] of Object.entries({
    'a negative tax': { amount: '-0.01' },
    'a tax finer than the currency': { amount: '0.005' },
  })) {
    it(`reject ${what}`, () => {
      const line = { unit_price: '1.00', quantity: '1', discount: '0', tax: { code: 'T', name: '', rate: '0', ...tax } }
      expect(() => computeCartTotals([line], true, 2)).to.throw(UpstreamError)
    })
  }

  for (const [what, line] of Object.entries({
    'a discount that exceeds its line': { unit_price: '1.00', discount: '1.01' },
    'a negative discount': { unit_price: '1.00', discount: '-0.01' },
    'a discount finer than the currency': { unit_price: '1.00', discount: '0.005' },
    'a negative price': { unit_price: '-1.00', discount: '0' },
  })) {
    it(`reject ${what}`, () => {
      const tax = { code: 'T', name: '', rate: '0.15' }
      expect(() => computeCartTotals([{ ...line, quantity: '1', tax }], false, 2)).to.throw(UpstreamError)
    })
  }
})
