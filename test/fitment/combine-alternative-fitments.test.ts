import { expect } from 'chai'
import { combineAlternativeFitments } from '../../src/fitment/combine-alternative-fitments.ts'

const NONE = { positions: [], quantity: null, notes: null, qualifiers: [] }

describe('several fitments of a part for one vehicle', () => {
  it('keep what they have in common, and list what differs', () => {
    const abs = { code: 'ABS', text: 'with' }
    const front = { ...NONE, positions: ['Front'], quantity: 1, qualifiers: [abs] }
    const rear = { ...front, positions: ['Rear'] }
    expect(combineAlternativeFitments([front])).to.equal(front)
    expect(combineAlternativeFitments([front, rear])).to.deep.equal({ ...front, positions: ['Front', 'Rear'] })
    expect(combineAlternativeFitments([front, { ...rear, quantity: 2, qualifiers: [] }])).to.deep.equal({
      positions: ['Front', 'Rear'],
      quantity: null,
      notes: 'Front; quantity 1; ABS with\nRear; quantity 2',
      qualifiers: [],
    })
  })
})
