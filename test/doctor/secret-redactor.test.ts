import { expect } from 'chai'
import { createSecretRedactor } from '../../src/doctor/secret-redactor.ts'

describe('what the doctor keeps to himself', () => {
  const system = (address: string, settings: object) => ({
    ...{ adapter: 'any', address, settings: settings as Record<string, unknown>, limits: {}, maxResponseBytes: 1 },
  })
  const hidden = createSecretRedactor({
    inventory: system('https://erp.example', { token: 'tok3n-x', database: 'merchant' }),
    pricing: system('https://erp.example', { user: 'storefront', password: 'p4ss"word' }),
  })

  for (const [what, text, said] of [
    ['a token', 'no tok3n-x here', 'no … here'],
    ['a token of which an excerpt took the digits', 'no tok#n-x here', 'no … here'],
    ['a password that was quoted', 'sent {"password":"p4ss\\"word"}', 'sent {"password":"…"}'],
    ['whatever is sent as a login', 'Authorization: Session c3RvcmU6Mjo', 'Authorization: Session …'],
    ['whatever is as long as a key', `key ${'ab#'.repeat(12)} there`, 'key … there'],
  ] as const) {
    it(`is ${what}`, () => {
      expect(hidden(text)).to.equal(said)
    })
  }

  it('is not what helps to mend', () => {
    const short = createSecretRedactor({ inventory: system('https://erp.example', { token: 'x' }) })
    expect(short('the token that the system expects')).to.equal('the token that the system expects')
    const packages = 'Install tryton-modules-sale-promotion-coupon and activate it'
    expect(hidden(packages)).to.equal(packages)
    const text = 'there is no database "merchant" for storefront at https://erp.example'
    expect(hidden(text)).to.equal(text)
  })
})
