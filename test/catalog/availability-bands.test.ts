import { expect } from 'chai'
import fc from 'fast-check'
import {
  type AvailabilityBand,
  bandDefaults,
  isOrderable,
  type StockAvailability,
  toAvailability,
  toAvailabilityWithBranches,
} from '../../src/catalog/availability-bands.ts'

const TODAY = '2026-03-02'
const limits = { low: 5, hysteresis: 2 }
const band = (available: number, previous?: AvailabilityBand, expected: { date: string; quantity: number }[] = []) =>
  toAvailability({ available, expected }, previous, limits, TODAY)

describe('a band', () => {
  it('is LOW below the limit, IN_STOCK from the limit on', () => {
    expect([0.001, 4.999, 5, 1e9].map((available) => band(available).band)).to.deep.equal([
      'LOW',
      'LOW',
      'IN_STOCK',
      'IN_STOCK',
    ])
  })

  it('stays LOW until the limit is passed by the margin, and falls at the limit', () => {
    expect([5, 6.999, 7].map((available) => band(available, 'LOW').band)).to.deep.equal(['LOW', 'LOW', 'IN_STOCK'])
    for (const previous of ['IN_STOCK', 'OUT', 'LEAD_TIME'] as const)
      expect(band(5, previous).band).to.equal('IN_STOCK')
    expect(band(4, 'IN_STOCK').band).to.equal('LOW')
  })

  it('is OUT without stock and receipts, also with negative stock', () => {
    for (const available of [0, -3, Number.NaN]) expect(band(available)).to.deep.equal({ band: 'OUT', eta: null })
  })

  it('is IN_STOCK where nobody counts, whatever the count', () => {
    const stock = { available: -2, expected: [], untracked: true, sell_when_out: false }
    expect(toAvailability(stock, 'OUT', limits, TODAY)).to.deep.equal({ band: 'IN_STOCK', eta: null })
  })

  it('has the expected day of a product, if no receipt says it and it is not past', () => {
    const day = (expected_on: string, receipts: { date: string; quantity: number }[] = []) =>
      toAvailability({ available: 0, expected: receipts, expected_on }, undefined, limits, TODAY).eta
    expect([day('2026-03-20'), day(TODAY), day('2026-03-01')]).to.deep.equal(['2026-03-20', TODAY, null])
    expect(day('2026-03-20', [{ date: '2026-03-30', quantity: 1 }])).to.equal('2026-03-30')
  })

  it('may be ordered by the policy of the product while it is out of stock', () => {
    const orderable = (sell_when_out: boolean | undefined, available: number, receipts = 0) =>
      isOrderable(
        toAvailability(
          { available, expected: [{ date: TODAY, quantity: receipts }], sell_when_out },
          undefined,
          limits,
          TODAY,
        ),
      )
    const found = [undefined, true, false].map((policy) => [
      orderable(policy, 1),
      orderable(policy, 0),
      orderable(policy, 0, 1),
    ])
    expect(found).to.deep.equal([
      [true, false, true],
      [true, true, true],
      [true, false, false],
    ])
  })

  it('has the day of the receipt that leaves something to sell', () => {
    const expected = [
      { date: '2026-03-09', quantity: 5 },
      { date: '2026-03-04', quantity: 3 },
      { date: '2026-03-05', quantity: 2 },
    ]
    expect(band(0, undefined, expected)).to.deep.equal({ band: 'LEAD_TIME', eta: '2026-03-04' })
    expect(band(-3, undefined, expected).eta).to.equal('2026-03-05')
    expect(band(-5, undefined, expected).eta).to.equal('2026-03-09')
    expect(band(-10, undefined, expected)).to.deep.equal({ band: 'OUT', eta: null })
    expect(
      expected.map(({ date }) => date),
      'and leaves the answer as it was',
    ).to.deep.equal(['2026-03-09', '2026-03-04', '2026-03-05'])
  })

  it('ignores overdue and empty receipts', () => {
    expect(
      band(0, undefined, [
        { date: '2026-03-01', quantity: 9 },
        { date: TODAY, quantity: 0 },
        { date: TODAY, quantity: -1 },
      ]).band,
    ).to.equal('OUT')
    expect(band(0, undefined, [{ date: TODAY, quantity: 1 }]).eta).to.equal(TODAY)
  })

  it('is a band and a day that is not past, whatever the stock', () => {
    const date = fc
      .date({ min: new Date('2025-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10))
    const stock = fc.record({ available: fc.double(), expected: fc.array(fc.record({ date, quantity: fc.double() })) })
    const previous = fc.constantFrom<AvailabilityBand | undefined>('IN_STOCK', 'LOW', 'OUT', 'LEAD_TIME', undefined)
    fc.assert(
      fc.property(stock, previous, (of, before) => {
        const found = toAvailability(of, before, bandDefaults, TODAY)
        expect(Object.keys(found)).to.deep.equal(['band', 'eta'])
        expect(found.band).to.be.oneOf(['IN_STOCK', 'LOW', 'OUT', 'LEAD_TIME'])
        expect(found.eta !== null).to.equal(found.band === 'LEAD_TIME')
        if (found.eta !== null)
          expect(found.eta >= TODAY && of.expected.some(({ date }) => date === found.eta)).to.equal(true)
      }),
    )
  })

  it('does not flicker when stock moves within the margin', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 5, max: 6.99, noNaN: true }),
        fc.double({ min: 0.01, max: 4.99, noNaN: true }),
        (above, below) => {
          expect([band(above, band(below, 'IN_STOCK').band).band]).to.deep.equal(['LOW'])
        },
      ),
    )
  })
})

describe('the bands of branches', () => {
  const branchesOf = (available: number[], previous?: StockAvailability) =>
    toAvailabilityWithBranches(
      {
        available: 20,
        expected: [{ date: '2026-03-09', quantity: 50 }],
        branches: available.map((count, at) => ({ branch_id: `b${at}`, name: `Branch ${at}`, available: count })),
      },
      previous,
      limits,
      TODAY,
    )

  it('follow from the stock of each, without receipts and without a count', () => {
    expect(branchesOf([9, 1, 0, -3])).to.deep.equal({
      band: 'IN_STOCK',
      eta: null,
      branches: ['IN_STOCK', 'LOW', 'OUT', 'OUT'].map((found, at) => ({
        branch_id: `b${at}`,
        name: `Branch ${at}`,
        band: found,
      })),
    })
  })

  it('come out of LOW as late as the band of the whole', () => {
    const low = branchesOf([4])
    expect([low, branchesOf([6], low), branchesOf([7], low)].map(({ branches }) => branches![0]!.band)).to.deep.equal([
      'LOW',
      'LOW',
      'IN_STOCK',
    ])
  })

  it('are at most a hundred, and none for what nobody counts', () => {
    expect(branchesOf(Array.from({ length: 101 }, () => 1)).branches).to.have.length(100)
    const untracked = { available: 0, expected: [], untracked: true, branches: [] }
    expect(toAvailabilityWithBranches(untracked, undefined, limits, TODAY)).to.deep.equal({
      band: 'IN_STOCK',
      eta: null,
    })
  })
})
