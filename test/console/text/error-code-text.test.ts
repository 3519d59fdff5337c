import { expect } from 'chai'
import { describeErrorCode } from '../../../src/console/text/error-code-text.ts'
import { describeSection } from '../../../src/console/text/section-text.ts'
import { problemTypes, UpstreamError, type UpstreamFailure } from '../../../src/errors.ts'
import { portNames } from '../../../src/ports/system.ts'
import { apiRoutes } from '../../../src/routes/api-routes.ts'
import { sectionError } from '../../../src/sections/section.ts'

describe('the words of the pages', () => {
  const failures: readonly UpstreamFailure[] = [
    ...(['timeout', 'unavailable', 'error', 'invalid', 'rejected', 'rate_limited', 'circuit_open'] as const),
    ...(['overloaded', 'not_configured', 'aborted'] as const),
  ]

  it('say of every code of errors[] what it means and where to look', () => {
    const codes = failures.map((failure) => {
      const section = { stale: false, partial: false, asOf: 0 }
      return sectionError('price', section, new UpstreamError(failure, '')).code
    })
    for (const code of [...codes, 'partial_result']) {
      const { name, means, look } = describeErrorCode(code)
      expect([name, means, look], code).to.not.include('')
      expect(name, code).to.not.match(/_|^downstream/i)
    }
  })

  it('say of every problem what it means', () => {
    for (const code of Object.keys(problemTypes)) expect(describeErrorCode(code).means, code).to.not.equal('')
  })

  it('make something of a code that they do not know', () => {
    expect(describeErrorCode('brand_new')).to.deep.equal({ name: 'Brand new', means: '', look: '' })
  })

  it('name every section that a route declares, and what shoppers meet', () => {
    const declared = new Set(
      apiRoutes.flatMap(({ sections }) => (sections ? [...sections.required, ...sections.optional] : [])),
    )
    // A cart is kept here, not in a system.
    declared.delete('cart')
    expect(declared.size).to.be.above(10)
    const general = new Set(portNames.map((system) => describeSection(system, 'anything').effect))
    const unsaid = [...declared].filter((name) =>
      portNames.every((system) => general.has(describeSection(system, name).effect)),
    )
    expect(unsaid).to.deep.equal([])
  })

  it('fall back to what a system is for', () => {
    expect(describeSection('pricing', 'new_part')).to.deep.equal({
      name: 'New part',
      effect: 'Prices or totals are missing, or older; checkout may be refused.',
    })
  })
})
