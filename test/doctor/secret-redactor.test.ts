import { expect } from 'chai'
import { createSecretRedactor } from '../../src/doctor/secret-redactor.ts'

describe('the secret redactor of the doctor', () => {
  const system = (address: string, settings: object) => ({
    adapter: 'any',
    address,
    settings: settings as Record<string, unknown>,
    limits: {},
    maxResponseBytes: 1,
  })
  const redact = createSecretRedactor({
    inventory: system('https://erp.example', { token: 'tok3n-x', database: 'merchant' }),
    pricing: system('https://erp.example', { user: 'storefront', password: 'p4ss"word' }),
  })

  for (const [what, text, expected] of [
    ['a token', 'no tok3n-x here', 'no … here'],
    ['a token whose digits an excerpt replaced', 'no tok#n-x here', 'no … here'],
    ['a quoted password', 'sent {"password":"p4ss\\"word"}', 'sent {"password":"…"}'],
    ['a credential', 'Authorization: Session c3RvcmU6Mjo', 'Authorization: Session …'],
    ['a word as long as a key', `key ${'ab#'.repeat(12)} there`, 'key … there'],
  ] as const) {
    it(`removes ${what}`, () => {
      expect(redact(text)).to.equal(expected)
    })
  }

  it('keeps text that helps to fix the problem', () => {
    const redactShort = createSecretRedactor({ inventory: system('https://erp.example', { token: 'x' }) })
    expect(redactShort('the token that the system expects')).to.equal('the token that the system expects')
    const packages = 'Install tryton-modules-sale-promotion-coupon and activate it'
    expect(redact(packages)).to.equal(packages)
    const text = 'there is no database "merchant" for storefront at https://erp.example'
    expect(redact(text)).to.equal(text)
  })
})
