import { expect } from 'chai'
import type { Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { createPriceListReader } from '../../../adapters/odoo/pricing/price-list-reader.ts'
import { createCall } from '../../support/create-call.ts'

describe('odoo: price rules', () => {
  it('are kept for two seconds, for a minute for anonymous shoppers, and no longer after a change', async () => {
    const clock = { ms: 0 }
    let loads = 0
    const rpc = {
      async search() {
        loads += 1
        return { length: 0, records: [] }
      },
    } as unknown as Rpc
    const lists = createPriceListReader(rpc, { api_key: 'secret' }, () => clock.ms)
    const loadsAt = async (ms: number, read: 'read' | 'readForVisitors') => {
      clock.ms = ms
      await lists[read](createCall())
      return loads
    }
    expect(await loadsAt(0, 'readForVisitors')).to.equal(1)
    expect(await loadsAt(1_999, 'read')).to.equal(1)
    expect(await loadsAt(2_000, 'read')).to.equal(2)
    expect(await loadsAt(59_999, 'readForVisitors')).to.equal(2)
    lists.forget()
    expect(await loadsAt(59_999, 'readForVisitors')).to.equal(3)
    expect(await loadsAt(59_999, 'read')).to.equal(3)
    expect(await loadsAt(119_999, 'readForVisitors')).to.equal(4)
  })
})
