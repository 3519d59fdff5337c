import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { adapters } from '../../../src/adapters.ts'
import { readRequestRecords } from '../../../src/diagnostics/reports/request-records.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { Adapter } from '../../../src/ports/adapter.ts'
import { startApi } from '../../support/api.ts'
import { until } from '../../support/until.ts'
import { cartShopper } from '../carts/cart-shopper-client.ts'

const cause = 'Odoo has no payment term "Cash" (setting cash_term)'

/** An accounting system in which no order can be placed, because of a setting. */
const misconfigured: Adapter = {
  ...adapters.rest!,
  connect(...args) {
    const ports = adapters.rest!.connect(...args)
    const placeOrder = () => Promise.reject(new UpstreamError('misconfigured', cause, { summary: cause }))
    return { ...ports, ...(ports.accounting && { accounting: { ...ports.accounting, placeOrder } }) }
  },
}

describe('POST /v1/checkout with a setting that does not fit accounting', () => {
  it('is 502 without an order, and only support staff see the setting', async () => {
    await using api = await startApi({ adapters: { ...adapters, rest: misconfigured } })
    const shopper = await cartShopper(api)
    const path = await shopper.cart({ sku: knownSkus.inStock, quantity: 1 })
    const order = { cart_id: path.split('/').at(-1), payment_method: 'CASH_ON_DELIVERY' }
    const { status, body } = await shopper.ask('POST', '/v1/checkout', order)
    const { request_id, ...problem } = body
    expect([status, problem]).to.deep.equal([
      502,
      {
        type: 'about:blank',
        title: 'Bad Gateway',
        status: 502,
        detail: 'An upstream system returned an error.',
        code: 'downstream_error',
      },
    ])
    expect(await shopper.read('GET', path)).to.include({ state: 'ACTIVE', order_id: null })
    const read = () => readRequestRecords(api.db, request_id)
    await until('the request is recorded', async () => (await read()).length > 0)
    const [record] = await read()
    expect(record!.sections.find(({ name }) => name === 'checkout')).to.include({
      outcome: 'misconfigured',
      kind: 'wrong setting',
      code: 'downstream_error',
      cause,
    })
  })
})
