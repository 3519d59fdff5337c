import { expect } from 'chai'
import { checkPromotions } from '../../../adapters/odoo/doctor/check-promotions.ts'
import { UpstreamError } from '../../../src/errors.ts'
import { contextWith } from './doctor-context.ts'
import { promotionRule } from './promotion-fixture.ts'

describe('odoo: doctor, promotions', () => {
  it('names the programs that the shop does not apply', async () => {
    const programs = [
      { id: 1, name: 'Welcome', trigger: 'with_code' },
      { id: 2, name: 'Ten off', trigger: 'auto' },
      { id: 3, name: 'Friends', trigger: 'with_code' },
      { id: 4, name: 'Ten percent', trigger: 'with_code' },
    ]
    const rules = [promotionRule({ id: 4 }), promotionRule({ id: 3, limit_usage: true })]
    const findings = await checkPromotions(contextWith({ 'loyalty.program': programs, 'loyalty.rule': rules }))
    expect(findings.map(({ severity, check, finding }) => [severity, check, finding])).to.deep.equal([
      ['warning', 'promotion_code', 'the shop accepts none of the codes of these programs: Welcome, Friends'],
      ['warning', 'promotion', 'orders of the shop get no rewards of these programs until staff add them: Ten off'],
    ])
  })

  it('finds nothing without programs and without the module', async () => {
    const missing = new UpstreamError('not_configured', 'loyalty.program responded 404')
    expect(await checkPromotions(contextWith({ 'loyalty.program': [] }))).to.deep.equal([])
    expect(await checkPromotions(contextWith({ 'loyalty.program': missing }))).to.deep.equal([])
  })
})
