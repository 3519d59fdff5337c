import { expect } from 'chai'
import { setPrice } from '../../src/sandbox/control/pricing-control-client.ts'
import type { RunningSystem } from '../../src/sandbox/start-system.ts'
import { sendRequest } from './send-request.ts'
import { createTempFolder } from './temp-folder.ts'
import { startTestSystem } from './test-system.ts'

describe('the sandbox: pricing and accounting', () => {
  let pricing: RunningSystem
  let accounting: RunningSystem
  let folder: Awaited<ReturnType<typeof createTempFolder>>

  before(async () => {
    folder = await createTempFolder()
    pricing = await startTestSystem({ system: 'pricing', directory: folder.directory })
    accounting = await startTestSystem({ system: 'accounting', directory: folder.directory })
  })

  after(async () => {
    await pricing.stop()
    await accounting.stop()
    await folder.remove()
  })

  const list = { price_type: 'LIST', tax_included: false, as_of: '2026-03-02T12:00:00.000Z' }

  it('returns list prices with their breaks, and omits SKUs without a price', async () => {
    const skus = ['TE-1001', 'OL-1001', 'BP-1009', 'nope']
    const { body } = await sendRequest(pricing, '/prices', { body: { skus, customer_id: null } })
    const fine = [{ min_quantity: '1000', amount: '9.875' }]
    const drums = [
      { min_quantity: '10', amount: '1090.00' },
      { min_quantity: '50', amount: '995.50' },
    ]
    expect(body).to.deep.equal({
      data: [
        { ...list, sku: 'TE-1001', amount: '12.3475', list_amount: '12.3475', uom: 'each', breaks: fine },
        { ...list, sku: 'OL-1001', amount: '1180.00', list_amount: '1180.00', uom: 'litre', breaks: drums },
      ],
    })
  })

  it("returns a customer's contract price together with the list price", async () => {
    const price = async (customer_id: string) =>
      (await sendRequest(pricing, '/prices', { body: { skus: ['OL-1001'], customer_id } })).body.data[0]
    const trade = [
      { min_quantity: '10', amount: '991.20' },
      { min_quantity: '50', amount: '932.20' },
    ]
    const contract = { ...list, sku: 'OL-1001', price_type: 'CONTRACT', list_amount: '1180.00', uom: 'litre' }
    expect(await price('C-1001')).to.deep.equal({ ...contract, amount: '1038.40', breaks: trade })
    expect(await price('C-1003')).to.deep.equal({
      ...contract,
      amount: '896.80',
      breaks: [{ min_quantity: '24', amount: '837.80' }],
    })
    expect((await price('C-1009')).price_type).to.equal('LIST')
  })

  it('rejects an unknown customer', async () => {
    const body = { skus: ['OL-1001'], customer_id: 'C-9' }
    for (const [system, path] of [
      [pricing, '/prices'],
      [accounting, '/taxes'],
    ] as const) {
      const answer = await sendRequest(system, path, { body })
      expect([answer.status, answer.body]).to.deep.equal([
        404,
        { error: 'not_found', detail: 'the customer does not exist' },
      ])
    }
  })

  it('accepts a new list price', async () => {
    await setPrice(pricing.controlAddress, 'demo', 'BP-1002', '99.95')
    const { body } = await sendRequest(pricing, '/prices', { body: { skus: ['BP-1002'], customer_id: null } })
    expect(body.data).to.deep.equal([
      { ...list, sku: 'BP-1002', amount: '99.95', list_amount: '99.95', uom: 'set', breaks: [] },
    ])
  })

  it('returns the tax of taxable and exempt products, and for an exempt customer', async () => {
    const taxes = async (customer_id: string | null) =>
      (await sendRequest(accounting, '/taxes', { body: { skus: ['BP-1001', 'BP-1012', 'nope'], customer_id } })).body
        .data
    const gct = { code: 'GCT', name: 'General Consumption Tax', rate: '0.15' }
    const exempt = { code: 'EXEMPT', name: 'Exempt from General Consumption Tax', rate: '0' }
    const mixed = [
      { sku: 'BP-1001', ...gct },
      { sku: 'BP-1012', ...exempt },
    ]
    expect(await taxes(null)).to.deep.equal(mixed)
    expect(await taxes('C-1001')).to.deep.equal(mixed)
    expect(await taxes('C-1005')).to.deep.equal([
      { sku: 'BP-1001', ...exempt },
      { sku: 'BP-1012', ...exempt },
    ])
  })
})
