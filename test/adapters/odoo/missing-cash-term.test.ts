import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import { connectOdooPorts } from '../../support/odoo/connect-odoo.ts'
import { type RecordedExchange, replayExchanges } from '../../support/recorded-upstream.ts'
import { startScriptedUpstream } from '../../support/scripted-upstream.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'
import { GARAGE, RECORDED_LOGIN, recordedFacts, toAsked } from './calls-to-record.ts'

const exchanges: RecordedExchange[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/odoo/placed.json', import.meta.url), 'utf8'),
)

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
