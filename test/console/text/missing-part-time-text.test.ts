import { expect } from 'chai'
import { describeMissingSince, type MissingPartFacts } from '../../../src/console/text/missing-part-time-text.ts'

const nothing: MissingPartFacts = { part: 'price', lastSetAt: null, absent: null, refusedCheckouts: null }
const describeFacts = (facts: Partial<MissingPartFacts>) =>
  describeMissingSince({ ...nothing, ...facts }, (at) => ({ iso: '', text: `second ${at / 1_000}` }))
const NEVER =
  'Whether it was ever set for shoppers who are not signed in, and how many of them saw the product without it, is not recorded.'

describe('describeMissingSince', () => {
  it('says until when at least the part was set, if a cache or the mirror had it', () => {
    expect(describeFacts({ lastSetAt: 70_000 })).to.equal(
      'It had a price until second 70 at least: Forecourt read it then, for shoppers who are not signed in. How many shoppers saw the product without it is not recorded.',
    )
  })

  it('says when a change was read without it, and which checkout was refused first', () => {
    const refusedCheckouts = { count: 2, isLimited: false, customers: 1, firstAt: 90_000, lastAt: 95_000 }
    expect(describeFacts({ absent: { parts: ['price'], changedAt: 80_000 }, refusedCheckouts })).to.equal(
      `Missing since second 80, or since longer ago: that is when Forecourt last read a change of this product. The first recorded checkout that was refused for this product was at second 90. ${NEVER}`,
    )
  })

  it('says that it is not known', () => {
    expect(describeFacts({})).to.equal(`Since when it has been missing is not known. ${NEVER}`)
  })
})
