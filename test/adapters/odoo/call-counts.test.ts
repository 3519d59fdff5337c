import { expect } from 'chai'
import { replayCall } from './replay.ts'

describe('odoo: calls of each operation', () => {
  it('are those of docs/odoo.md', async () => {
    expect((await replayCall('counted')).calls).to.deep.equal({
      page: 1,
      'page with a price list': 2,
      product: 1,
      'product with a price list': 2,
      cart: 2,
      'checkout on credit': 9,
      'checkout in cash': 8,
      order: 2,
      cancel: 7,
    })
  })

  it('are more when staff deleted the contact of a remembered address', async () => {
    const message = "No matching record found for database id '38' in field 'Delivery Address'"
    const refused = { status: 200, answer: { ids: false, messages: [{ type: 'error', message }], nextrow: 0 } }
    let isDeleted = true
    const refuseOnce = (body: string) => {
      if (!isDeleted || !body.includes('ECOMMERCE ord_recorded5credit')) return undefined
      isDeleted = false
      return refused
    }
    const { calls } = await replayCall('counted', { 'sale.order/load': refuseOnce })
    expect(calls).to.include({ 'checkout on credit': 11, 'checkout in cash': 8 })
  })

  it('are one more for an order to a new address', async () => {
    const { asked } = await replayCall('placed')
    expect(asked.filter((method) => method === 'res.partner/load')).to.have.length(1)
  })
})
