import { expect } from 'chai'
import { formatTable } from '../../src/cli/table.ts'

describe('formatTable', () => {
  const rows = [
    ['search', 'It takes over half of what a request waits for it\n→ Give it more time'],
    ['items', ''],
  ]

  it('makes columns as wide as their longest cell', () => {
    expect(formatTable(['WHAT', 'WHY'], [['search', 'slow']], Infinity)).to.deep.equal(['WHAT    WHY', 'search  slow'])
  })

  it('wraps the last column, and keeps its line breaks', () => {
    expect(formatTable(['WHAT', 'WHY'], rows, 50)).to.deep.equal([
      'WHAT    WHY',
      'search  It takes over half of what a request waits',
      '        for it',
      '        → Give it more time',
      'items',
    ])
  })

  it('gives the last column a minimum width', () => {
    expect(formatTable(['WHAT', 'WHY'], rows, 10)[1]).to.equal('search  It takes over half of what a request')
  })

  it('does not break a word that is longer than a line', () => {
    const word = 'x'.repeat(60)
    expect(formatTable(['A'], [[`see ${word} there`]], 40)).to.deep.equal(['A', 'see', word, 'there'])
  })
})
