import { expect } from 'chai'
import { readRefusedCheckoutsOfProduct } from '../../../src/console/pages/lookup/refused-checkouts-of-product.ts'
import type { SkuRefusal } from '../../../src/errors.ts'
import { expectAll } from './expect-on-page.ts'
import { type OutageConsole, openOutageConsole } from './outage-console.ts'
import { around, toClock } from './outage-times.ts'

const refused = {
  ...{ status: 409, code: 'line_unavailable', route: 'checkout', method: 'POST', url: '/v1/checkout', ms: 15 },
  ...{ sections: undefined, customerId: 'C-5' },
} as const
const PRICING = 'Whom to call about pricing of Acme Parts: Lee Wong, +1 876 555-0100'
const INVENTORY = 'Whom to call about inventory of Acme Parts: Acme IT desk, +1 876 555-0102'

describe('a checkout that was refused because of a product, from a clock time alone', () => {
  let outages: OutageConsole

  beforeEach(async () => {
    outages = await openOutageConsole()
  })
  afterEach(() => outages[Symbol.asyncDispose]())

  for (const [reason, said, whom] of [
    ['no_price', 'pricing had no price for it', PRICING],
    ['out_of_stock', 'it was out of stock in inventory', INVENTORY],
    ['withdrawn', 'it was withdrawn from sale in inventory', INVENTORY],
  ] as const satisfies [SkuRefusal['reason'], string, string][])
    it(`names the product and the reason ${reason}, and whom to call`, async () => {
      const { clock, record, readText } = outages
      const at = clock.ms
      const skuRefusals = [{ sku: 'BP-1009', reason }]
      await record([{ ...refused, requestId: 'refused-1', refusedSkus: ['BP-1009'], skuRefusals }])
      expectAll(await readText(around('/incidents?', at)), [
        `${toClock(at)} 1 request of Acme Parts (live) refused: Line unavailable: BP-1009 (${said})`,
      ])
      const page = await readText('/request?id=refused-1')
      expectAll(page, [
        `Refused SKU BP-1009: ${said}`,
        `What to check: This request was refused because of BP-1009 (${said}).`,
        whom,
      ])
      expect(page).to.not.include(whom === PRICING ? INVENTORY : PRICING)
      expect(page).to.not.include('it is out of stock, was withdrawn or has no price')
    })

  it('names the product, and whom to call, if an earlier release recorded no reason', async () => {
    const { clock, record, readText } = outages
    const at = clock.ms
    await record([{ ...refused, requestId: 'refused-1', refusedSkus: ['BP-1009'] }])
    expectAll(await readText(around('/incidents?', at)), ['refused: Line unavailable: BP-1009 '])
    expectAll(await readText('/request?id=refused-1'), [
      'it is out of stock, was withdrawn or has no price',
      INVENTORY,
      PRICING,
    ])
  })

  it('is counted on the page of the product, with its customers', async () => {
    const { clock, record, db } = outages
    const at = clock.ms
    const skus = { skus: ['BP-1009', 'BP-1'], refusedSkus: ['BP-1009'] }
    await record([
      { ...refused, ...skus, requestId: 'refused-1' },
      { ...refused, ...skus, requestId: 'refused-2', customerId: 'C-6' },
    ])
    const acme = { merchant: 'acme', mode: 'live' } as const
    const times = { firstAt: at, lastAt: at + 1_000 }
    expect(await readRefusedCheckoutsOfProduct(db, acme, 'BP-1009')).to.deep.equal({
      ...{ count: 2, isLimited: false, customers: 2, ...times },
    })
    expect(await readRefusedCheckoutsOfProduct(db, acme, 'BP-1')).to.equal(null)
  })
})
