import { expect } from 'chai'
import { outcomes, type SandboxOutcome } from '../../fixtures/sandbox-outcomes.ts'
import { paymentStatusSchema } from '../../src/sandbox/protocol/order-schemas.ts'
import type { RunningSystem } from '../../src/sandbox/start-system.ts'
import { createOrderDraft } from '../adapters/conformance/order-draft.ts'
import { sendRequest } from './send-request.ts'
import { createTempFolder } from './temp-folder.ts'
import { startTestSystem } from './test-system.ts'

describe('the outcomes of the sandbox', () => {
  let accounting: RunningSystem
  let pricing: RunningSystem
  let folder: Awaited<ReturnType<typeof createTempFolder>>

  before(async () => {
    folder = await createTempFolder()
    accounting = await startTestSystem({ system: 'accounting', directory: folder.directory })
    pricing = await startTestSystem({ system: 'pricing', directory: folder.directory })
  })

  after(async () => {
    await Promise.all([accounting.stop(), pricing.stop()])
    await folder.remove()
  })

  const listed = (what: string) => outcomes.filter((outcome) => outcome.what === what)
  const ofCheckout = (begin: string) =>
    outcomes.filter(({ what, outcome }) => what.startsWith('checkout') && outcome.startsWith(begin))
  const customerOf = ({ shopper }: SandboxOutcome) => shopper!.customer_id

  it('have shoppers that the ledger finds by email address, with valid passwords', async () => {
    for (const { shopper } of outcomes) {
      const { body } = await sendRequest(accounting, '/customers/lookup', { body: { email: shopper!.email } })
      expect(body.customer_id).to.equal(shopper!.customer_id)
      expect(shopper!.password.length).to.be.within(8, 128)
    }
  })

  it('have orders of their shoppers in the listed status', async () => {
    for (const outcome of [...listed('order'), ...listed('payment status')]) {
      const path = `/orders/${outcome.order_id}?customer_id=${customerOf(outcome)}`
      const { body } = await sendRequest(accounting, path)
      expect(outcome.what === 'order' ? body.status : body.payment_status, outcome.order_id).to.equal(outcome.outcome)
    }
    const every = (paymentStatusSchema() as unknown as { anyOf: { const: string }[] }).anyOf.map((each) => each.const)
    expect(
      listed('payment status')
        .map(({ outcome }) => outcome)
        .sort(),
    ).to.deep.equal(every.sort())
  })

  it('have promotion codes with the listed results', async () => {
    for (const outcome of listed('promotion code')) {
      const before = outcome.how?.replace('after ', '')
      const codes = [before, outcome.promotion_code].filter((code) => code !== undefined)
      const lines = [{ line_id: 'a', sku: outcome.sku, quantity: '1' }]
      const { body } = await sendRequest(pricing, '/quotes', {
        body: { customer_id: customerOf(outcome), lines, codes },
      })
      const { reason, status } = body.promotions.at(-1)
      expect(reason ?? status, outcome.promotion_code).to.equal(outcome.outcome)
    }
  })

  it('have products and shoppers that the ledger accepts or refuses as listed', async () => {
    const place = async (outcome: SandboxOutcome, payment_method: 'CREDIT_TERMS' | 'CASH_ON_DELIVERY') => {
      const customerId = customerOf(outcome)
      const taxes = await sendRequest(accounting, '/taxes', { body: { skus: [outcome.sku], customer_id: customerId } })
      const goods = { sku: outcome.sku!, uom: 'set', unitPrice: '6188.00' }
      const reference = `${outcome.what} ${payment_method}`
      const draft = createOrderDraft(
        { reference, customerId, goods, rate: taxes.body.data[0].rate },
        { payment_method },
      )
      return (await sendRequest(accounting, '/orders', { body: draft })).body
    }
    for (const outcome of ofCheckout('placed'))
      expect((await place(outcome, 'CASH_ON_DELIVERY')).state).to.equal('placed')
    for (const [code, reason] of [
      ['over_credit_limit', 'OVER_CREDIT_LIMIT'],
      ['account_on_hold', 'ACCOUNT_ON_HOLD'],
      ['payment_method_not_allowed', 'PAYMENT_METHOD_NOT_ALLOWED'],
    ] as const)
      for (const outcome of ofCheckout(code)) expect((await place(outcome, 'CREDIT_TERMS')).reason).to.equal(reason)
  })

  it('cover every result of a checkout', () => {
    const results = new Set(ofCheckout('').map(({ outcome }) => outcome))
    expect(results).to.deep.equal(
      new Set([
        'placed',
        'over_credit_limit',
        'processing, then CONFIRMED',
        'processing, then REJECTED',
        'price_changed',
        'line_unavailable',
        'account_on_hold',
        'payment_method_not_allowed',
      ]),
    )
  })
})
