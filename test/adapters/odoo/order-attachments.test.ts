import { expect } from 'chai'
import type { Rpc, Search } from '../../../adapters/odoo/client/rpc.ts'
import { readLatestLoggedDecision, readOrderAttachments } from '../../../adapters/odoo/orders/order-attachments.ts'
import { createCall } from '../../support/create-call.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'

const goods = { sku: 'PAD-001', uom: 'Units', unitPrice: '5700.00' }
const draft = createOrderDraft({ reference: 'ord_1', customerId: '6', goods })
const decision = { reference: 'ord_1', draft, refusal: null, log: { number: 3, pending: [] } }
const cancellation = { reason: 'CUSTOMER_REQUEST', note: null, at: '2026-11-23T21:00:00.000Z' }

/** An Odoo with these attachments of order 9. */
function withAttachments(...attachments: [name: string, description: string | false][]) {
  const searches: Search[] = []
  const records = attachments.map(([name, description], i) => ({ id: i + 1, name, res_id: 9, description }))
  const search = async (_: unknown, __: string, asked: Search) => {
    searches.push(asked)
    return { length: records.length, records }
  }
  return { rpc: { search } as unknown as Rpc, searches }
}

async function read(...attachments: Parameters<typeof withAttachments>) {
  const { rpc, searches } = withAttachments(...attachments)
  return { ...(await readOrderAttachments(rpc, [9], createCall())).get(9), domain: searches[0]!.domain }
}

describe('odoo: attachments of an order', () => {
  it('reads the decision and the cancellation', async () => {
    const found = await read(
      ['forecourt-order-6-credit', JSON.stringify(decision)],
      ['forecourt-cancellation', JSON.stringify(cancellation)],
    )
    expect(found).to.deep.include({ decision, cancellation })
  })

  it('leaves out what somebody changed, whatever it is now', async () => {
    const half = JSON.stringify({ ...decision, log: {} })
    for (const text of ['', 'null', '{', '[]', '"x"', half, false] as const)
      expect(await read(['forecourt-order', text], ['forecourt-cancellation', text]), String(text)).to.deep.include({
        decision: null,
        cancellation: null,
      })
  })

  it('has no draft that somebody changed, but the decision', async () => {
    for (const changed of [{ ...draft, lines: null }, null, 'x']) {
      const found = await read(['forecourt-order', JSON.stringify({ ...decision, draft: changed })])
      expect(found.decision).to.deep.equal({ ...decision, draft: null })
    }
  })

  it('asks for no file that a customer attached in the portal, which has no description', async () => {
    expect((await read()).domain).to.deep.include(['description', '!=', false])
    const { rpc, searches } = withAttachments()
    expect(await readLatestLoggedDecision(rpc, 6, createCall())).to.equal(null)
    expect(searches[0]!.domain).to.deep.include(['description', '!=', false])
  })

  it('does not decide about credit without the last decision', async () => {
    const logged = ['forecourt-order-6-credit', JSON.stringify(decision)] as const
    expect(await readLatestLoggedDecision(withAttachments([...logged]).rpc, 6, createCall())).to.deep.equal(decision)
    const { rpc } = withAttachments(['forecourt-order-6-credit', '{'])
    const failure = await readLatestLoggedDecision(rpc, 6, createCall()).catch((error: unknown) => error)
    expect(failure).to.include({ failure: 'invalid' })
  })
})
