import { expect } from 'chai'
import { type StatusRow, toStatus } from '../../../adapters/odoo/orders/order-status.ts'

/** Each picking as its kind and its state: `outgoing done`. */
const statusOf = (delivery_status: StatusRow['delivery_status'], ...pickings: string[]) =>
  toStatus({
    ...{ state: 'sale', delivery_status },
    picking_ids: pickings.map((picking) => {
      const [picking_type_code, state] = picking.split(' ') as [string, string]
      return { picking_type_code, state }
    }),
  })

describe('odoo: the status of an order', () => {
  it('is shipped while goods that have all left are being returned', () => {
    expect(statusOf('partial', 'outgoing done', 'incoming assigned')).to.equal('SHIPPED')
    expect(statusOf('started', 'internal done', 'outgoing done', 'outgoing cancel', 'incoming draft')).to.equal(
      'SHIPPED',
    )
    expect(statusOf('partial', 'dropship done', 'incoming assigned')).to.equal('SHIPPED')
    expect(statusOf('full', 'outgoing done', 'incoming done')).to.equal('SHIPPED')
  })

  it('is partially shipped while some goods have not left', () => {
    expect(statusOf('partial', 'outgoing done', 'outgoing assigned')).to.equal('PARTIALLY_SHIPPED')
    expect(statusOf('partial', 'outgoing done', 'outgoing assigned', 'incoming done')).to.equal('PARTIALLY_SHIPPED')
    expect(statusOf('started', 'internal done', 'outgoing waiting')).to.equal('PARTIALLY_SHIPPED')
    expect(statusOf('started', 'internal done')).to.equal('PARTIALLY_SHIPPED')
  })

  it('is confirmed before anything has left', () => {
    expect([statusOf(false), statusOf('pending', 'outgoing assigned')]).to.deep.equal(['CONFIRMED', 'CONFIRMED'])
  })
})
