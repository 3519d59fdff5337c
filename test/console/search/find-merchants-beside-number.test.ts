import { expect } from 'chai'
import { createMerchantDirectory } from '../../../src/console/merchant-directory.ts'
import { findMerchantsBesideNumber } from '../../../src/console/search/find-merchants-beside-number.ts'

const merchants = createMerchantDirectory(
  [
    { merchant: 'first', name: 'Acme, Inc.', timeZone: 'UTC', currency: 'USD' },
    { merchant: 'second', name: 'Acme Tools', timeZone: 'UTC', currency: 'USD' },
  ],
  () => 0,
)

describe('a merchant beside a number', () => {
  it('is found by the first words of its name, also without their punctuation', () => {
    const both = [
      { merchant: 'first', rest: 'BP-1009' },
      { merchant: 'second', rest: 'BP-1009' },
    ]
    for (const text of ['Acme BP-1009', 'BP-1009 acme'])
      expect(findMerchantsBesideNumber(merchants, text)).to.deep.equal(both)
    expect(findMerchantsBesideNumber(merchants, 'Acme, Inc. BP-1009')).to.deep.equal([both[0]])
    for (const text of ['acme, inc BP-1009', 'BP-1009 acme, inc'])
      expect(findMerchantsBesideNumber(merchants, text)).to.deep.equal([both[0]])
    expect(findMerchantsBesideNumber(merchants, 'second BP-1009')).to.deep.equal([both[1]])
  })

  it('is none without a number', () => {
    for (const text of ['acme', 'acme brake pads', 'BP-1009'])
      expect(findMerchantsBesideNumber(merchants, text)).to.deep.equal([])
  })
})
