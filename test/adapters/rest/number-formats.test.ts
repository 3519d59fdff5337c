import { expect } from 'chai'
import { createCall } from '../../support/create-call.ts'
import { respondJson, startScriptedUpstream } from '../../support/scripted-upstream.ts'
import { BOTH_ITEM_PARTS } from '../conformance/both-item-parts.ts'
import { connectPorts, disconnectAll } from './ports.ts'

describe('rest: numbers', () => {
  it('are formatted as the contract says, in whatever format a system sends them', async () => {
    const row = {
      sku: 'A',
      amount: '5',
      price_type: 'CONTRACT',
      list_amount: '5.1234567891',
      tax_included: false,
      uom: 'each',
      as_of: '2026-03-01T00:00:00Z',
      breaks: [{ min_quantity: '12.0000000000', amount: '4.5' }],
    }
    const units = [{ uom: 'box', factor: '12.0', min: '0.3333333333', increment: '1' }]
    const product = { name: 'Pads', uom: 'each', active: true, updated_at: '2026-03-01', order_uoms: units }
    await using system = await startScriptedUpstream((response, seen, request) => {
      const rows: Record<string, unknown> = {
        '/prices': row,
        '/taxes': { sku: 'A', code: 'GCT', name: 'GCT', rate: '0.1500000000' },
        '/products/lookup': { sku: 'A', product },
      }
      respondJson({ data: [rows[seen.path]] })(response, seen, request)
    })
    const one = connectPorts(system.address)
    const [price] = await one.pricing.prices(['A'], null, createCall())
    const [tax] = await one.accounting.taxes(['A'], null, createCall())
    const [item] = await one.inventory.items(['A'], BOTH_ITEM_PARTS, createCall())
    await disconnectAll()
    expect(price).to.include({ amount: '5.00', list_amount: '5.123457' })
    expect(price!.breaks).to.deep.equal([{ min_quantity: '12', amount: '4.50' }])
    expect(tax!.rate).to.equal('0.15')
    expect(item!.product!.order_uoms).to.deep.equal([{ uom: 'box', factor: '12', min: '0.333333', increment: '1' }])
  })
})
