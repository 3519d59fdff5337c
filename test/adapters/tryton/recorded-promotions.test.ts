import { expect } from 'chai'
import type { Order } from '../../../src/ports/order.ts'
import { replayCall } from './replay.ts'

describe('tryton: promotions of a recorded server', () => {
  it('apply automatically, by code, and combined', async () => {
    const { unasked, welcome, together, refused } = (await replayCall('promotions')).answer
    const off = ({ lines }: typeof unasked) => lines.map(({ discount }) => discount)
    const said = ({ promotions }: typeof unasked) =>
      promotions.map(({ code, reason, discount }) => [code, reason, discount])
    expect(off(unasked)).to.deep.equal(['849.15', '0.00', '0.00'])
    expect([off(welcome), said(welcome)]).to.deep.equal([
      ['1698.30', '2535.00', '2490.00'],
      [['WELCOME10', null, '6723.30']],
    ])
    expect(off(together)).to.deep.equal(['1698.30', '3802.50', '2490.00'])
    expect(said(together)).to.deep.equal([
      ['WELCOME10', null, '4188.30'],
      ['PADS15', null, '3802.50'],
      ['LASTONE', 'NOT_COMBINABLE', '0.00'],
    ])
    expect(refused.promotions.map(({ reason }) => reason)).to.deep.equal([
      'EXPIRED',
      'NOT_STARTED',
      'CUSTOMER_NOT_ELIGIBLE',
      'UNKNOWN_CODE',
      'UNKNOWN_CODE',
    ])
    expect(off(refused)).to.deep.equal(off(unasked))
  })

  it('are part of the order, respect their usage limit, and are released by a cancellation', async () => {
    const { draft, placed, late, cancelled, again } = (await replayCall('discounted')).answer
    const { lines, promotions, totals } = (placed as { order: Order }).order
    expect({ lines, promotions, totals }).to.deep.equal({
      lines: draft.lines,
      promotions: draft.promotions,
      totals: draft.totals,
    })
    expect(promotions).to.deep.equal([{ code: 'LASTONE', description: 'The last one', discount: '1501.50' }])
    expect(late).to.include({ state: 'refused', reason: 'TOTALS_DISAGREE' })
    expect(cancelled).to.include({ state: 'cancelled' })
    expect(again.promotions[0]).to.include({ status: 'APPLIED' })
  })
})
