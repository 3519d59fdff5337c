import { expect } from 'chai'
import { checkUser } from '../../../adapters/odoo/doctor/check-user.ts'
import { contextWith } from './doctor-context.ts'

describe('odoo: doctor, the key', () => {
  const findingsFor = async (expiration_date: string | false) => {
    const keys = [{ id: 1, name: 'shop', expiration_date }]
    return (await checkUser(contextWith({ 'res.users.apikeys': keys }))).map(({ severity, finding }) => [
      severity,
      finding,
    ])
  }

  it('warns 14 days before it expires', async () => {
    expect(await findingsFor('2026-12-09 13:00:00')).to.deep.equal([
      ['warning', 'the API key "shop" expires in 14 days'],
    ])
    expect(await findingsFor('2026-12-10 13:00:00')).to.deep.equal([['note', 'the API key "shop" expires in 15 days']])
    expect(await findingsFor('2026-11-26 13:00:00')).to.deep.equal([['warning', 'the API key "shop" expires in 1 day']])
    expect(await findingsFor('2026-11-25 13:00:00')).to.deep.equal([
      ['warning', 'the API key "shop" expires in less than a day'],
    ])
    expect(await findingsFor('2026-11-25 11:00:00')).to.deep.equal([['warning', 'the API key "shop" has expired']])
    expect(await findingsFor('2026-11-24 13:00:00')).to.deep.equal([['warning', 'the API key "shop" has expired']])
    expect(await findingsFor(false)).to.deep.equal([])
  })
})
