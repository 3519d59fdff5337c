import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import { connectOdooPorts } from '../../support/odoo/connect-odoo.ts'
import { type RecordedExchange, replayExchanges } from '../../support/recorded-upstream.ts'
import { startScriptedUpstream } from '../../support/scripted-upstream.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'
import { GARAGE, RECORDED_LOGIN, recordedFacts, toAsked } from './calls-to-record.ts'
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

describe('odoo: placing an order with cash on delivery', () => {
  it('creates nothing if Odoo does not have the payment term of the settings', async () => {
    const answerOf = replayExchanges(exchanges)
    await using upstream = await startScriptedUpstream((response, { path, body }) => {
      const asked = toAsked(path, JSON.parse(body))
      const isAbsent = asked.method.startsWith('account.payment.term/') || body.includes('ECOMMERCE ord_')
      const { status, answer } = isAbsent ? { status: 200, answer: { length: 0, records: [] } } : answerOf(asked)
      response.writeHead(status).end(JSON.stringify(answer))
    })
    const login = { address: upstream.address, apiKey: RECORDED_LOGIN }
    const { close, accounting } = connectOdooPorts(login, recordedFacts, undefined, { cash_term: 'Cash' })
    const goods = { sku: 'PAD-001', uom: 'Units', unitPrice: '5700.00' }
    const draft = createOrderDraft(
      { reference: 'ord_recorded3placed', customerId: GARAGE, goods },
      { payment_method: 'CASH_ON_DELIVERY' },
    )
    const failure = await failureOf(accounting.placeOrder!(draft, createCall()))
    await close()
    const text = 'Odoo has no payment term "Cash" (setting cash_term)'
    expect(failure).to.include({ failure: 'misconfigured', message: text, summary: text })
    const methods = upstream.requests.map(({ path }) => toAsked(path, null).method)
    expect(methods.filter((method) => method.startsWith('sale.order/'))).to.deep.equal(['sale.order/web_search_read'])
  })
})
