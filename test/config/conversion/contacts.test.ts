import { expect } from 'chai'
import { adapters } from '../../../src/adapters.ts'
import { parseConfig } from '../../../src/config/parse-config-file.ts'
import { createMerchantDirectory } from '../../../src/console/merchant-directory.ts'
import { findMistakes } from '../config-fixtures.ts'

const configText = (operations: string, merchant: string, system: string) => `
operations: { contact: ${operations} }
merchants:
  acme:
    name: Acme
    currency: JMD
    time_zone: America/Jamaica
    contact: ${merchant}
    live:
      inventory: { adapter: rest, address: "https://stock.example", token: t }
      pricing: { adapter: rest, address: "https://prices.example", token: t, contact: ${system} }
`

describe('whom to call', () => {
  it('is the contact of a system, else of its merchant, and about Forecourt that of the operations', () => {
    const text = configText('{ url: "https://ops.example" }', '{ name: Acme IT }', '{ phone: "+1 876 555-0100" }')
    const config = parseConfig(text, 'forecourt.yaml', adapters, {})
    const directory = createMerchantDirectory(config.merchants, () => 0, config.operations?.contact)
    const live = { merchant: 'acme', mode: 'live' } as const
    expect(directory.contact(live, 'pricing')).to.deep.equal({ phone: '+1 876 555-0100' })
    for (const system of ['inventory', 'inventory-search', 'accounting'])
      expect(directory.contact(live, system), system).to.deep.equal({ name: 'Acme IT' })
    expect(directory.contact({ ...live, mode: 'sandbox' }, 'pricing')).to.deep.equal({ name: 'Acme IT' })
    expect(directory.merchantContact('acme')).to.deep.equal({ name: 'Acme IT' })
    expect(directory.merchantContact('unknown')).to.equal(null)
    expect(directory.forecourtContact).to.deep.equal({ url: 'https://ops.example' })
  })

  it('is nobody with an empty block', () => {
    const { merchants, operations } = parseConfig(configText('{}', '{}', '{}'), 'forecourt.yaml', adapters, {})
    expect(operations).to.not.have.property('contact')
    expect(merchants[0]).to.not.have.property('contact')
  })

  it('has clear mistakes', () => {
    const mistakes = findMistakes(configText('{ phone: none }', '{ url: ops }', '{ mail: a@b.example }'))
    expect(mistakes.map(({ path, mistake }) => `${path}: ${mistake}`)).to.deep.equal([
      'operations.contact.phone: is not a phone number',
      'merchants.acme.contact.url: is not a usable URL',
      'merchants.acme.live.pricing.contact.mail: is not a setting',
    ])
  })
})
