import { expect } from 'chai'
import type { TrytonContext } from '../../../adapters/tryton/context.ts'
import { hasOverusedCoupon } from '../../../adapters/tryton/orders/sale-coupons.ts'
import { createCall } from '../../support/create-call.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'
import { answering, capabilities } from './fake-rpc.ts'

const draft = createOrderDraft({
  reference: 'ord_1',
  customerId: '3',
  goods: { sku: 'PAD-001', uom: 'u', unitPrice: '100.00' },
})

describe('tryton: the coupons of an order', () => {
  const used = (uses: number, coupon: object) => {
    const { rpc, asked } = answering({
      'sale.promotion.coupon.number.search_read': [
        {
          id: 5,
          number: 'ONCE',
          active: false,
          'coupon.': { id: 2, promotion: 1, number_of_use: 1, per_party: false, ...coupon },
        },
      ],
      'sale.sale.search_count': uses,
    })
    const context = { rpc, capabilities, settings: {} } as unknown as TrytonContext
    const promotions = [{ code: 'ONCE', description: null, discount: '1.00' }]
    return { over: hasOverusedCoupon(context, { ...draft, promotions }, createCall()), asked }
  }

  it('are overused when more sales have them than allowed', async () => {
    expect(await used(1, {}).over).to.equal(false)
    expect(await used(2, {}).over).to.equal(true)
    expect(await used(2, { number_of_use: 0 }).over).to.equal(false)
  })

  it('are counted per customer when the limit is per customer', async () => {
    const { over, asked } = used(1, { per_party: true })
    expect(await over).to.equal(false)
    expect(asked.at(-1)).to.deep.equal([
      'sale.sale.search_count',
      [
        [
          ['coupons', '=', 5],
          ['party', '=', 3],
        ],
      ],
    ])
  })
})
