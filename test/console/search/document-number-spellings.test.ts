import { expect } from 'chai'
import { completeNumber, listNumberSpellings } from '../../../src/console/search/document-number-spellings.ts'

describe('the spellings of a number', () => {
  for (const typed of ['SO 200001', 'SO200001', 'so_200001'])
    it(`include that of the ledger for ${typed}`, () =>
      expect(listNumberSpellings(typed).map((spelling) => spelling.toUpperCase())).to.include('SO-200001'))

  it('are none for a text without a letter or a digit, and for a long one', () => {
    for (const typed of ['200001', 'brake', '', '--', 'a1b2c3'])
      expect(listNumberSpellings(typed), typed).to.deep.equal([])
  })

  it('are completed from a number of the same series', () => {
    expect(completeNumber('12', 'so-200001')).to.deep.equal(['so-12', 'so-000012'])
    expect(completeNumber('200002', 'so-200001')).to.deep.equal(['so-200002'])
    expect(completeNumber('7', 'web/2026/0099')).to.deep.equal(['web/2026/7', 'web/2026/0007'])
    for (const [digits, sample] of [
      ['a1', 'so-1'],
      ['1', 'no digits'],
      ['1234567890123', 'so-1'],
    ] as const)
      expect(completeNumber(digits, sample)).to.deep.equal([])
  })
})
