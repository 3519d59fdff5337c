import { expect } from 'chai'
import { describedSections, describeSection } from '../../../src/console/text/section-text.ts'
import { sectionNoun } from '../../../src/diagnostics/section-and-system-names.ts'
import { sourceNames } from '../../../src/ports/system.ts'
import { apiRoutes } from '../../../src/routes/api-routes.ts'

describe('the texts of sections', () => {
  it('name each section of a system differently', () => {
    const names = describedSections.map((key) => {
      const [system, section] = key.split(' ') as [string, string]
      return `${system}: ${describeSection(system, section).name}`
    })
    expect(names.filter((name, index) => names.indexOf(name) < index)).to.deep.equal([])
  })

  it('name the live availability band differently from other availability bands, also in sentences', () => {
    expect(sectionNoun('band')).to.not.equal(sectionNoun('availability'))
  })

  it('name every section that a route declares, and what shoppers see when it fails', () => {
    const declared = new Set(
      apiRoutes.flatMap(({ sections }) => (sections ? [...sections.required, ...sections.optional] : [])),
    )
    // Carts are stored in Forecourt, not in a system.
    declared.delete('cart')
    expect(declared.size).to.be.above(10)
    const systemEffects = new Set(sourceNames.map((system) => describeSection(system, 'anything').effect))
    const undescribed = [...declared].filter((name) =>
      sourceNames.every((system) => systemEffects.has(describeSection(system, name).effect)),
    )
    expect(undescribed).to.deep.equal([])
  })

  it('give a section one name, whichever system fills it', () => {
    expect(['pricing', 'accounting'].map((system) => describeSection(system, 'pricing').name)).to.deep.equal([
      'Cart totals',
      'Cart totals',
    ])
    expect(sectionNoun('pricing')).to.equal('cart totals')
  })

  it('fall back to the effect of the system', () => {
    expect(describeSection('pricing', 'new_part')).to.deep.equal({
      name: 'New part',
      effect: 'Prices or totals are missing or out of date. Checkout may be refused.',
    })
  })
})
