import { expect } from 'chai'
import type { MerchantConfig } from '../../src/config/merchant-config.ts'
import { registrationFindings } from '../../src/doctor/registration-findings.ts'

describe('doctor: registration without emails', () => {
  const mail = { url: 'smtp://mail.example', from: 'Acme <shop@acme.example>' }
  const findingsOf = (registration: 'immediate' | 'verified' | undefined, more: object = {}) => {
    const merchant = { live: { accounting: {} }, ...(registration && { registration }) } as unknown as MerchantConfig
    return registrationFindings({ merchant, mode: 'live', ...more })
  }
  const warning = (finding: string) => [
    {
      check: 'registration',
      severity: 'warning',
      systems: ['accounting'],
      finding,
      remedy: 'Set mail.url and mail.from in the configuration',
    },
  ]

  it('warns of the customers who cannot register', () => {
    const existing =
      'a customer who already exists in accounting cannot register, because only an email proves who they are'
    expect(findingsOf('immediate')).to.deep.equal(warning(`no mail server is configured: ${existing}`))
    expect(findingsOf('immediate', { mail: { ...mail, url: 'log:' } })).to.deep.equal(
      warning(`emails are only written to the log: ${existing}`),
    )
    const nobody =
      'no mail server is configured: nobody can register, because new shoppers must verify their email address'
    for (const registration of ['verified', undefined] as const)
      expect(findingsOf(registration)).to.deep.equal(warning(nobody))
  })

  it('finds nothing with a mail server, in sandbox mode, and without accounting', () => {
    expect(findingsOf('immediate', { mail })).to.deep.equal([])
    expect(findingsOf('immediate', { mode: 'sandbox' })).to.deep.equal([])
    expect(findingsOf('immediate', { merchant: { live: {}, registration: 'immediate' } })).to.deep.equal([])
  })
})
