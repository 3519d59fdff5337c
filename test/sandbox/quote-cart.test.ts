import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { promotionCodes as codes } from '../../fixtures/promotions.ts'
import type { RunningSystem } from '../../src/sandbox/start-system.ts'
import { sendRequest } from './send-request.ts'
import { createTempFolder } from './temp-folder.ts'
import { startTestSystem } from './test-system.ts'
import '../support/mocha-setup.ts'

describe('the sandbox: quotes', () => {
  let pricing: RunningSystem
  let folder: Awaited<ReturnType<typeof createTempFolder>>

  before(async () => {
    folder = await createTempFolder()
    pricing = await startTestSystem({ system: 'pricing', directory: folder.directory })
  })

  after(async () => {
    await pricing.stop()
    await folder.remove()
  })

  type Lines = [sku: string, quantity: string][]
  const pads: Lines = [['BP-1001', '2']]
  const quote = async (typed: string[], of: Lines = pads, customer_id = 'C-1001') => {
    const lines = of.map(([sku, quantity], i) => ({ line_id: `l${i}`, sku, quantity }))
    return (await sendRequest(pricing, '/quotes', { body: { customer_id, lines, codes: typed } })).body
  }
  const outcomes = async (typed: string[], of?: Lines, customer?: string) => {
    const { promotions } = await quote(typed, of, customer)
    return promotions.map(({ reason, discount }: { reason: string | null; discount: string }) => reason ?? discount)
  }

  it('report why a code does not apply', async () => {
    const { expired, notStarted, limitReached, otherCustomers, minimum, otherGoods } = codes
    expect(await outcomes([expired, notStarted, limitReached, otherCustomers, minimum, otherGoods, 'x'])).to.deep.equal(
      [
        'EXPIRED',
        'NOT_STARTED',
        'LIMIT_REACHED',
        'CUSTOMER_NOT_ELIGIBLE',
        'MINIMUM_NOT_MET',
        'NO_ELIGIBLE_LINES',
        'UNKNOWN_CODE',
      ],
    )
  })

  it('apply a valid code', async () => {
    expect(await outcomes([codes.otherCustomers], [['OL-1001', '10']], 'C-1003')).to.deep.equal(['448.40'])
    expect(await outcomes([codes.minimum], [['OL-1001', '300']])).to.deep.equal(['13983.00'])
    expect(await outcomes([codes.amount], [['OL-1001', '1']])).to.deep.equal(['NO_ELIGIBLE_LINES'])
  })

  it('combine codes, each on the remaining amount', async () => {
    const { promotions, lines } = await quote([codes.share, codes.amount, codes.alone])
    expect(promotions.map(({ discount }: { discount: string }) => discount)).to.deep.equal([
      '1089.09',
      '1500.00',
      '0.00',
    ])
    expect(promotions[2].reason).to.equal('NOT_COMBINABLE')
    expect(lines[0].discount).to.equal('2589.09')
    expect(await outcomes([codes.alone, codes.share])).to.deep.equal(['1306.91', 'NOT_COMBINABLE'])
  })

  it('never discount a line below zero', async () => {
    const { lines } = await quote(
      [codes.amount],
      [
        ['BP-1002', '0.001'],
        ['BP-1003', '0.002'],
      ],
    )
    const { lines: before } = await quote(
      [],
      [
        ['BP-1002', '0.001'],
        ['BP-1003', '0.002'],
      ],
    )
    for (const [i, { unit_price }] of before.entries()) {
      const gross = new Decimal(unit_price).times(i === 0 ? '0.001' : '0.002').toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
      expect(lines[i].discount).to.equal(gross.toFixed(2))
    }
  })

  it('use list prices for customers created through the API', async () => {
    const { lines } = await quote(
      [],
      [
        ['OL-1001', '5'],
        ['OL-1001', '5'],
      ],
      'W-100001',
    )
    expect(lines.map(({ unit_price }: { unit_price: string }) => unit_price)).to.deep.equal(['1090.00', '1090.00'])
    expect(lines[0]).to.include({ price_type: 'LIST', list_unit_price: '1180.00' })
  })
})
