import { expect } from 'chai'
import { bySection } from '../../../src/console/text/section-text.ts'
import { nounOf } from '../../../src/diagnostics/status/shopper-impact-text.ts'

describe('what sections are called', () => {
  it('tells any two of one system apart', () => {
    const named = Object.entries(bySection).map(([of, { name }]) => `${of.split(' ')[0]}: ${name}`)
    expect(named.filter((name, at) => named.indexOf(name) < at)).to.deep.equal([])
  })

  it('tells the band that is asked for alone from the others also in a sentence', () => {
    expect(nounOf('band')).to.not.equal(nounOf('availability'))
  })
})
