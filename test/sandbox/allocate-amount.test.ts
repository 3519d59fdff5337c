import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { allocateAmount } from '../../src/sandbox/pricing/allocate-amount.ts'

describe('an amount allocated to lines', () => {
  const part = fc.integer({ min: 1, max: 10_000_000 }).map((n) => new Decimal(n).div(100))
  const sum = (amounts: readonly Decimal[]) => amounts.reduce((total, one) => total.plus(one), new Decimal(0))

  it('adds up to the amount, and never exceeds a line', () => {
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 0, max: 10_000 }),
        (parts, share) => {
          const amount = sum(parts).times(share).div(10_000).toDecimalPlaces(2, Decimal.ROUND_DOWN)
          const shares = allocateAmount(amount, parts)
          expect(sum(shares).toFixed(2)).to.equal(amount.toFixed(2))
          for (const [i, one] of shares.entries()) {
            expect(one.gte(0) && one.lte(parts[i]!)).to.equal(true)
            expect(one.decimalPlaces()).to.be.at.most(2)
          }
        },
      ),
    )
  })
})
