import { expect } from 'chai'
import type { LivePricing } from '../../../src/commands/carts/live-pricing.ts'
import { readDeliveryOptions } from '../../../src/commands/carts/read-delivery-options.ts'
import type { CustomerCommandContext } from '../../../src/commands/command-context.ts'
import type { DeliveryOptionsQuery } from '../../../src/ports/delivery.ts'
import type { LiveCallOptions } from '../../../src/upstream/readers/run-live-call.ts'

describe('the question for the deliveries of a cart', () => {
  it('names the promotion codes that apply, and no others', async () => {
    const asked: DeliveryOptionsQuery[] = []
    const accounting = {
      async deliveryOptionsNow(query: DeliveryOptionsQuery) {
        asked.push(query)
        return []
      },
    }
    const context = { backOffice: { accounting }, customerId: 'C-1' } as unknown as CustomerCommandContext
    const pricing = {
      lines: [{ sku: 'BP-1001', quantity: '2' }],
      totals: { total: '115.00', tax_included: false },
      promotions: [
        { code: 'ALL10', status: 'APPLIED' },
        { code: 'OVER', status: 'NOT_APPLICABLE' },
      ],
    } as unknown as LivePricing
    await readDeliveryOptions(context, pricing, null, {} as LiveCallOptions)
    expect(asked).to.deep.equal([
      {
        customerId: 'C-1',
        lines: [{ sku: 'BP-1001', quantity: '2' }],
        goods_total: '115.00',
        tax_included: false,
        codes: ['ALL10'],
        shipping_address: null,
      },
    ])
  })
})
