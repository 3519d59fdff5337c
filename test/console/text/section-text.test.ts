import { expect } from 'chai'
import { sectionTexts } from '../../../src/console/text/section-text.ts'
import { sectionNoun } from '../../../src/diagnostics/status/shopper-impact-text.ts'

describe('what sections are called', () => {
  it('tells any two of one system apart', () => {
    const named = Object.entries(sectionTexts).map(([of, { name }]) => `${of.split(' ')[0]}: ${name}`)
    expect(named.filter((name, at) => named.indexOf(name) < at)).to.deep.equal([])
  })

  it('tells the band that is asked for alone from the others also in a sentence', () => {
    expect(sectionNoun('band')).to.not.equal(sectionNoun('availability'))
  })
})
