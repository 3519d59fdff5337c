import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { RecordedExchange } from '../../support/recorded-upstream.ts'
import { replayCall } from './replay.ts'

interface Asked {
  method: string
  body: { specification?: { amount_invoiced?: unknown } }
}

const exchanges: RecordedExchange[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/odoo/placed.json', import.meta.url), 'utf8'),
)
const isExposure = ({ asked }: RecordedExchange) => (asked as Asked).body.specification?.amount_invoiced !== undefined
const exposures = exchanges.filter(isExposure)

/** The recorded answer with a customer who has spent all of their credit since. */
const withoutCredit = (body: string) => {
  const recorded = exposures.find(({ asked }) => JSON.stringify((asked as Asked).body) === body)
  if (!recorded) return undefined
  const answer = JSON.stringify(recorded.answer).replace(/"credit_limit":[\d.]+/g, '"credit_limit":0')
  return { status: 200, answer: JSON.parse(answer) }
}

describe('odoo: placing an order again', () => {
  it('confirms a draft that an earlier attempt accepted, although the credit is used up since', async () => {
    const { answer, asked } = await replayCall('placed', { 'sale.order/web_search_read': withoutCredit })
    expect(answer.placed).to.have.nested.include({ state: 'placed', 'order.status': 'CONFIRMED' })
    const writes = asked.filter((method) => /load|action|write$/.test(method))
    // No second decision: it would take the next place in the log of the customer's credit, and release this order's.
    expect(writes.slice(0, writes.indexOf('sale.order/action_confirm'))).to.deep.equal([
      'res.partner/load',
      'sale.order/load',
    ])
  })
})
