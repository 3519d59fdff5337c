import { expect } from 'chai'
import { parsePartyNames, toPartyNames } from '../../../adapters/tryton/customers/party-name-mapping.ts'

describe('tryton: names', () => {
  const draft = { reference: 'r', email: 'a@b.example', phone: null }

  it('of persons and companies survive a round trip', () => {
    for (const company of [null, 'Van Dyk Ltd']) {
      const given = { ...draft, first_name: 'Mary Ann', last_name: 'van Dyk', company }
      const { party, mailbox } = toPartyNames(given)
      expect(parsePartyNames(party, mailbox, false)).to.deep.equal({
        first_name: 'Mary Ann',
        last_name: 'van Dyk',
        company,
        customer_type: company ? 'BUSINESS' : 'INDIVIDUAL',
      })
    }
  })

  it('of parties from Tryton are parsed by whether they are a business', () => {
    expect(parsePartyNames('Andre Campbell', null, false)).to.include({ first_name: 'Andre', last_name: 'Campbell' })
    expect(parsePartyNames('Garage', null, true)).to.include({
      company: 'Garage',
      first_name: null,
      customer_type: 'BUSINESS',
    })
    expect(parsePartyNames('Madonna', null, false)).to.include({ first_name: 'Madonna', last_name: null })
  })
})
