import { expect } from 'chai'
import type { Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { describeWebsitePriceList } from '../../../adapters/odoo/doctor/describe-website-price-list.ts'
import { contextWith } from './doctor-context.ts'

describe('odoo: doctor, the price list of the website', () => {
  const company = { id: 1, currency_id: { id: 1, name: 'JMD' }, country_id: { id: 1, code: 'JM' } }
  const findingsFor = async (lists: object[]) => {
    const answers = { 'res.company': [company], website: [{ id: 1 }], 'product.pricelist': lists }
    const context = contextWith(answers)
    const rpc = { ...context.rpc, call: async () => ({ is_published: {} }) } as unknown as Rpc
    return (await describeWebsitePriceList({ ...context, rpc })).map(({ severity, finding }) => [severity, finding])
  }

  it('names it, or says that the sales prices count', async () => {
    const list = { id: 4, name: 'Site', currency_id: { id: 1, name: 'JMD' }, country_group_ids: [] }
    expect(await findingsFor([list])).to.deep.equal([
      ['note', "anonymous shoppers see the prices of the price list of Odoo's website: Site"],
    ])
    expect(await findingsFor([])).to.deep.equal([['note', 'anonymous shoppers see the sales prices of the products']])
  })
})
