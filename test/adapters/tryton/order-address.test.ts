import { expect } from 'chai'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import type { TrytonContext } from '../../../adapters/tryton/context.ts'
import { type AddressRow, findOrCreateAddress, toAddress } from '../../../adapters/tryton/customers/addresses.ts'
import type { Address } from '../../../src/ports/customer.ts'
import { createCall } from '../../support/create-call.ts'

describe('tryton: the address of an order', () => {
  const home: Address = {
    line1: '12 Harbour Street',
    line2: null,
    city: 'Montego Bay',
    region: null,
    postal_code: null,
    country: 'JM',
  }
  const abroad: Address = {
    ...home,
    line1: '1 Ocean Drive',
    city: 'Miami',
    region: 'Florida',
    postal_code: '33139',
    country: 'US',
  }

  /** A Tryton that knows only the country Jamaica, and a party with an address without a country. */
  function keeping(country?: string) {
    const written = { party: 3, postal_code: null, invoice: true, delivery: true, 'country.': null }
    const rows: object[] = [{ ...written, id: 1, street: '12 Harbour Street', city: 'Montego Bay' }]
    const rpc = (async (answer: { parse(value: unknown): unknown }, method: string, params: unknown[]) => {
      if (method === 'party.address.search_read') return answer.parse(rows)
      if (method === 'country.country.search') return (params[0] as string[][])[0]![2] === 'JM' ? [7] : []
      if (method === 'country.subdivision.search') return []
      const [values] = params[0] as { country: number | null }[]
      return [rows.push({ ...values, id: rows.length + 1, 'country.': values!.country && { code: 'JM' } })]
    }) as unknown as Rpc
    const context = { rpc, settings: { country } } as unknown as TrytonContext
    return (address: Address) => findOrCreateAddress(context, 3, address, createCall())
  }

  it('has the country of its street when Tryton does not have that country', () => {
    const row = { id: 1, party: 3, city: 'Miami', postal_code: '33139', invoice: false, delivery: false }
    const shown = (street: string, country: object | null = null) => {
      const { line2, country: code } = toAddress({ ...row, street, 'country.': country } as AddressRow, {
        country: 'JM',
      })!
      return [line2, code]
    }
    expect(shown('1 Ocean Drive\nFlorida\nUS')).to.deep.equal(['Florida', 'US'])
    expect(shown('1 Ocean Drive\nFL')).to.deep.equal(['FL', 'JM'])
    expect(shown('1 Ocean Drive\nUS', { code: 'BB' })).to.deep.equal(['US', 'BB'])
  })

  it('is created once, in any country', async () => {
    for (const country of ['JM', undefined]) {
      const kept = keeping(country)
      expect([await kept(abroad), await kept(abroad), await kept(home)], country).to.deep.equal([2, 2, 1])
      expect(await kept({ ...abroad, country: 'CA' }), country).to.equal(3)
      expect(await kept({ ...home, region: 'St. James' }), country).to.equal(4)
      expect(await kept({ ...home, region: 'St. James' }), country).to.equal(4)
    }
  })
})
