import { expect } from 'chai'
import fc from 'fast-check'
import { normalizeNumber } from '../../src/ports/normalize-number.ts'
import { codePoint } from '../support/code-point.ts'

describe('a number as it is compared', () => {
  it('has no punctuation, case or accents', () => {
    const spellings = ['BP-1001', 'bp 1001', 'Bp.1001', ' bp1001/', 'ＢＰ１００１']
    expect(new Set(spellings.map(normalizeNumber))).to.deep.equal(new Set(['BP1001']))
    expect(normalizeNumber('ñandú-öl 5w')).to.equal('NANDUOL5W')
    expect(normalizeNumber(' -./ ')).to.equal('')
  })

  it('stays the same when it is normalized again', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const once = normalizeNumber(text)
        expect(normalizeNumber(once.toLowerCase())).to.equal(normalizeNumber(once))
      }),
    )
  })
})
