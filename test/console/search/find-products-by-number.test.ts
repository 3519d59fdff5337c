import { expect } from 'chai'
import { findProductsByNumber, type SearchedMirror } from '../../../src/console/search/find-products-by-number.ts'
import type { NumberMatch } from '../../../src/ports/reference.ts'

const match = (sku: string, kind: NumberMatch['kind'] = 'SKU', number = sku): NumberMatch => ({
  sku,
  kind,
  brand: null,
  number,
})
const numbers: Readonly<Record<string, NumberMatch[]>> = {
  BP1002: [match('BP-1002'), match('BP-1002', 'OEM', 'BP1002')],
  NA: Array.from({ length: 30 }, (_, index) => match(`X-${index}`, 'OEM', 'N/A')),
}
const mirror = (merchant: string, change: Partial<SearchedMirror> = {}): SearchedMirror => ({
  tenant: { merchant, mode: 'live' },
  isServing: true,
  productsByNumber: (number) => numbers[number] ?? [],
  ...change,
})

describe('the search box, for the number of a product', () => {
  const mirrors = [mirror('acme'), mirror('zenith')]

  for (const typed of ['BP-1002', 'bp1002', 'bp 1002', ' Bp.1002 '])
    it(`finds BP-1002 by "${typed}" in the mirror of each merchant`, () => {
      expect(findProductsByNumber(mirrors, typed)).to.deep.equal([
        { tenant_id: 'acme', mode: 'live', id: 'BP-1002' },
        { tenant_id: 'zenith', mode: 'live', id: 'BP-1002' },
      ])
    })

  it('finds nothing by a text without letters and digits, and in a mirror that is being filled or replaced', () => {
    const damaged = () => {
      throw new Error('database disk image is malformed')
    }
    expect(findProductsByNumber(mirrors, '--')).to.deep.equal([])
    const others = [mirror('acme', { isServing: false }), mirror('zenith', { productsByNumber: damaged })]
    expect(findProductsByNumber(others, 'bp1002')).to.deep.equal([])
  })

  it('finds at most twenty', () => expect(findProductsByNumber(mirrors, 'n/a')).to.have.length(20))
})
