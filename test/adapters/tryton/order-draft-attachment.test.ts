import { expect } from 'chai'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { readAttachedDrafts } from '../../../adapters/tryton/orders/order-draft-attachment.ts'
import { createCall } from '../../support/create-call.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'

const draft = createOrderDraft({
  reference: 'ord_1',
  customerId: '3',
  goods: { sku: 'PAD-001', uom: 'u', unitPrice: '100.00' },
})

/** Responds by method; any other method gets an empty list. */
function answering(answers: Record<string, unknown>) {
  const asked: [method: string, params: unknown[]][] = []
  const rpc = (async (answer: { parse(value: unknown): unknown }, method: string, params: unknown[]) => {
    asked.push([method, params])
    return answer.parse(answers[method] ?? [])
  }) as Rpc
  return { rpc, asked }
}

describe('tryton: the draft that is attached to a sale', () => {
  const kept = async (description: string, party = 3) => {
    const { rpc } = answering({ 'ir.attachment.search_read': [{ id: 1, resource: 'sale.sale,7', description }] })
    return (await readAttachedDrafts(rpc, [7], createCall()))({ id: 7, web_id: 'ord_1', party })
  }

  it('is read back completely', async () => {
    const delivery = { delivery_option_id: '7', name: 'Van', pickup_place: null }
    for (const each of [draft, { ...draft, delivery }, { ...draft, delivery: null }])
      expect(await kept(JSON.stringify(each))).to.deep.equal(each)
  })

  it('is ignored when someone edited it', async () => {
    const { lines: _, ...rest } = draft
    const places = [
      { shipping_address: {} },
      { billing_address: { line1: 'x' } },
      { contact: { name: 7 } },
      { delivery: {} },
    ]
    const parts = [{ lines: [{ sku: 'PAD-001' }] }, { totals: { total: 'much' } }, ...places]
    const wrong = [rest, ...parts.map((part) => ({ ...draft, ...part })), null, []]
    for (const text of [...wrong.map((one) => JSON.stringify(one)), 'Hello', ''])
      expect(await kept(text), text).to.equal(null)
    expect(await kept(JSON.stringify({ ...draft, reference: 'ord_2' }))).to.equal(null)
  })

  it('is not shown to another customer to whom the sale was moved', async () => {
    expect(await kept(JSON.stringify(draft), 4)).to.equal(null)
  })
})
