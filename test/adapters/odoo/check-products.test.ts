import { expect } from 'chai'
import type { Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { checkProducts } from '../../../adapters/odoo/doctor/check-products.ts'
import { contextWith } from './doctor-context.ts'

describe('odoo: doctor, products', () => {
  const findingsFor = async (count: number) => {
    const context = contextWith({})
    const groups = Array.from({ length: count }, (_, i) => ({ default_code: `SKU-${i}`, __count: 2 }))
    const rpc = {
      ...context.rpc,
      call: async (_: unknown, method: string) => (method.endsWith('search_count') ? count : groups),
    } as unknown as Rpc
    return (await checkProducts({ ...context, rpc })).map(({ finding }) => finding)
  }

  it('counts one and several', async () => {
    expect(await findingsFor(1)).to.deep.equal([
      '1 product is for sale',
      '1 product for sale has no Internal Reference: the shop does not show it',
      '1 Internal Reference occurs more than once: SKU-0',
      '1 product has the price 0: it cannot be bought',
      '1 price list is not in JMD: customers with such a list, or with one based on it, see no prices',
    ])
    expect(await findingsFor(2)).to.deep.equal([
      '2 products are for sale',
      '2 products for sale have no Internal Reference: the shop does not show them',
      '2 Internal References occur more than once: SKU-0, SKU-1',
      '2 products have the price 0: they cannot be bought',
      '2 price lists are not in JMD: customers with such a list, or with one based on it, see no prices',
    ])
  })
})
