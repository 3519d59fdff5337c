import { inspect } from 'node:util'
import { expect } from 'chai'
import { toRpcError as trytonRefusal } from '../../../adapters/tryton/client/rpc-errors.ts'
import type { TrytonContext } from '../../../adapters/tryton/context.ts'
import type { QuotedDelivery } from '../../../adapters/tryton/delivery-options/delivery-quotes.ts'
import { toOrderRefusal } from '../../../adapters/tryton/orders/order-check.ts'
import type { OrderReader } from '../../../adapters/tryton/orders/order-reader.ts'
import type { OrderRecords } from '../../../adapters/tryton/orders/order-record-reader.ts'
import { connectPlaceOrder } from '../../../adapters/tryton/orders/place-order.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { Order } from '../../../src/ports/order.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'
import { createFakeSales } from './fake-sales.ts'

const draft = createOrderDraft({
  reference: 'ord_1',
  customerId: '3',
  goods: { sku: 'PAD-001', uom: 'u', unitPrice: '100.00' },
})

const delivered = {
  ...draft,
  delivery: { delivery_option_id: '7', name: 'Van', pickup_place: null },
  totals: { ...draft.totals, shipping_total: '50.00', tax_total: '52.50', total: '402.50' },
}
const van: QuotedDelivery = {
  option: {
    delivery_option_id: '7',
    name: 'Van',
    description: null,
    fulfillment_method: 'DELIVERY',
    price: '50.00',
    tax: { code: 'GCT', name: 'GCT', rate: '0.15' },
    pickup_places: [],
  },
  carrierId: 7,
  costMethod: 'order',
}

/** Returns a process that places orders with a Tryton. */
function connected(
  tryton: ReturnType<typeof createFakeSales>,
  refusal: ReturnType<typeof toOrderRefusal> | null = null,
  { check, delivery = null }: { check?: () => Promise<never>; delivery?: QuotedDelivery | null } = {},
) {
  const context = {
    ...tryton,
    formatAmount: (value: string) => Number(value).toFixed(2),
  } as unknown as TrytonContext
  const product = {
    sku: 'PAD-001',
    code: 'GCT',
    name: 'GCT',
    rate: '0.15',
    product: 1,
    unit: 1,
    salable: true,
    taxIds: [1],
  }
  return connectPlaceOrder(context, {
    check: check ?? (async () => ({ refusal, products: [product], delivery })),
    orders: {
      toOrders: async (all: readonly OrderRecords[]) => all.map(({ sale }) => ({ order_id: String(sale.id) }) as Order),
    } as unknown as OrderReader,
    credit: tryton.credit,
    random: () => 0,
  }).placeOrder
}

describe('tryton: placing an order', () => {
  it('creates one sale when two processes create it at once', async () => {
    const tryton = createFakeSales()
    const answers = await Promise.all([connected(tryton)(draft, createCall()), connected(tryton)(draft, createCall())])
    expect(answers).to.deep.equal(Array(2).fill({ state: 'placed', order: { order_id: '1' } }))
    expect(tryton.sales.map(({ state }) => state)).to.deep.equal(['processing'])
    expect(tryton.confirmed).to.deep.equal([1])
  })

  it('continues from any step at which another process ended', async () => {
    for (const dies of ['sale.sale.create', 'ir.attachment.create', 'sale.sale.quote', 'sale.sale.confirm']) {
      const tryton = createFakeSales()
      tryton.loseNext(dies)
      expect((await failureOf(connected(tryton)(draft, createCall()))).failure, dies).to.equal('timeout')
      expect(await connected(tryton)(draft, createCall())).to.include({ state: 'placed' })
      expect(tryton.sales, dies).to.have.length(1)
      expect(tryton.confirmed, dies).to.deep.equal([1])
    }
  })

  it('gives the sale to the web shop from 7.6 on, also a refused one, which it cancels', async () => {
    const tryton = createFakeSales()
    tryton.shop.series76 = true
    expect(await connected(tryton)(draft, createCall())).to.include({ state: 'placed' })
    const refused = { ...draft, reference: 'ord_refused' }
    const refusal = toOrderRefusal('LINE_UNAVAILABLE', ['PAD-001'])
    expect(await connected(tryton, refusal)(refused, createCall())).to.include({ state: 'refused' })
    expect(tryton.sales.map(({ web_shop, state }) => [web_shop, state])).to.deep.equal([
      [4, 'processing'],
      [4, 'cancelled'],
    ])
  })

  it('starts nothing from 7.6 on unless there is one web shop', async () => {
    for (const webShops of [[], [{ id: 4 }, { id: 5 }]]) {
      const tryton = createFakeSales()
      Object.assign(tryton.shop, { series76: true, webShops })
      expect((await failureOf(connected(tryton)(draft, createCall()))).failure).to.equal('not_configured')
      expect(tryton.sales).to.deep.equal([])
    }
  })

  it('keeps a refusal after its reason is gone', async () => {
    const tryton = createFakeSales()
    const refused = { state: 'refused', reason: 'LINE_UNAVAILABLE', skus: ['PAD-001'], available_credit: null }
    expect(await connected(tryton, toOrderRefusal('LINE_UNAVAILABLE', ['PAD-001']))(draft, createCall())).to.deep.equal(
      refused,
    )
    expect(await connected(tryton)(draft, createCall())).to.deep.equal(refused)
    expect(tryton.sales.map(({ state }) => state)).to.deep.equal(['cancelled'])
  })

  it('refuses when the totals of Tryton differ, in the draft or in the quotation', async () => {
    for (const untaxed of [
      { draft: '299.99', quotation: '300.00' },
      { draft: '300.00', quotation: '270.00' },
    ]) {
      const tryton = createFakeSales(untaxed)
      expect(await connected(tryton)(draft, createCall())).to.include({ state: 'refused', reason: 'TOTALS_DISAGREE' })
      expect([tryton.sales[0]!.state, tryton.confirmed]).to.deep.equal(['cancelled', []])
    }
  })

  it('tolerates a tax difference of one cent per line, and no more', async () => {
    for (const [more, state] of [
      ['0.01', 'placed'],
      ['-0.01', 'placed'],
      ['0.02', 'refused'],
    ] as const) {
      const tryton = createFakeSales({ draft: '300.00', quotation: '300.00' }, more)
      expect((await connected(tryton)(draft, createCall())).state, more).to.equal(state)
    }
  })

  it('has Tryton add the delivery, and refuses another cost, another tax or a missing one', async () => {
    for (const [change, state] of [
      [{}, 'placed'],
      [{ shipping_total: '49.99' }, 'refused'],
      [{ tax_total: '53.00' }, 'refused'],
    ] as const) {
      const tryton = createFakeSales()
      const totals = { ...delivered.totals, ...change }
      const result = await connected(tryton, null, { delivery: van })({ ...delivered, totals }, createCall())
      expect(result.state, JSON.stringify(change)).to.equal(state)
      expect(tryton.sales.map(({ carrier }) => carrier)).to.deep.equal([7])
    }
    const tryton = createFakeSales()
    expect(await connected(tryton)(delivered, createCall())).to.include({ state: 'refused', reason: 'TOTALS_DISAGREE' })
    expect(tryton.confirmed).to.deep.equal([])
  })

  it('refuses when the carrier does not go to the address any more', async () => {
    const tryton = createFakeSales()
    tryton.refuseNext('sale.sale.confirm', 'To confirm sale "1" you must change the carrier "Van".')
    const result = await connected(tryton, null, { delivery: van })(delivered, createCall())
    expect(result).to.include({ state: 'refused', reason: 'TOTALS_DISAGREE' })
  })

  it('is not misled by a customer whose name reads like a refusal', async () => {
    const tryton = createFakeSales()
    tryton.refuseNext('sale.sale.quote', 'The party "Credit Limit Motors" has no invoice address.')
    expect((await failureOf(connected(tryton)(draft, createCall()))).failure).to.equal('rejected')
  })

  it('refuses when Tryton enforces its credit limit, and completes an unfinished refusal', async () => {
    const tryton = createFakeSales()
    tryton.refuseNext('sale.sale.confirm', 'Party "Garage" has reached their credit limit of J$1.00.')
    tryton.loseNext('sale.sale.cancel', 'before')
    expect((await failureOf(connected(tryton)(draft, createCall()))).failure).to.equal('timeout')
    expect(tryton.sales[0]!.state).to.equal('quotation')
    expect(await connected(tryton)(draft, createCall())).to.deep.equal({
      state: 'refused',
      reason: 'OVER_CREDIT_LIMIT',
      skus: [],
      available_credit: '999.00',
    })
    expect([tryton.sales[0]!.state, tryton.confirmed]).to.deep.equal(['cancelled', []])
  })

  it('names the SKUs that Tryton reports as unavailable, without stock figures in the log', async () => {
    const tryton = createFakeSales()
    const said = 'The forcast quantity (3.0u) for line "5.0u [PAD-001] Brake Pad" is lower than its quantity (5.0u).'
    tryton.refuseNext('sale.sale.quote', said)
    expect(await connected(tryton)(draft, createCall())).to.deep.equal({
      state: 'refused',
      reason: 'LINE_UNAVAILABLE',
      skus: ['PAD-001'],
      available_credit: null,
    })
    const error = trytonRefusal('sale.sale.quote', ['UserError', [said, '', null]])
    expect(inspect(error, { depth: 9, showHidden: false })).not.to.match(/3\.0u|5\.0u|PAD-001/)
  })

  it('understands a refusal with a long customer name', async () => {
    const tryton = createFakeSales()
    tryton.refuseNext('sale.sale.confirm', `Party "${'Garage '.repeat(40)}" has reached their credit limit of J$1.00.`)
    expect(await connected(tryton)(draft, createCall())).to.include({ state: 'refused', reason: 'OVER_CREDIT_LIMIT' })
  })

  it('reads a sale again that was written in the meantime', async () => {
    for (const step of ['sale.sale.quote', 'sale.sale.confirm']) {
      const tryton = createFakeSales()
      tryton.overtakeNext(step)
      expect(await connected(tryton)(draft, createCall()), step).to.include({ state: 'placed' })
      expect(tryton.asked.filter((method) => method === step)).to.have.length(2)
      expect(tryton.confirmed).to.deep.equal([1])
    }
  })

  it("never fails with 'not_configured' once a sale may exist", async () => {
    for (const step of ['sale.sale.create', 'sale.sale.quote', 'sale.sale.confirm']) {
      const tryton = createFakeSales()
      tryton.failNext(step, trytonRefusal(step, ["'web_id'", ''], ['web_id']))
      expect((await failureOf(connected(tryton)(draft, createCall()))).failure, step).to.equal('error')
      expect(await connected(tryton)(draft, createCall()), step).to.include({ state: 'placed' })
      expect([tryton.sales.length, tryton.confirmed], step).to.deep.equal([1, [1]])
    }
  })

  it("fails with 'not_configured' while the order is checked, before there is a sale", async () => {
    const missing = new UpstreamError('not_configured', 'no credit')
    const tryton = createFakeSales()
    const placing = connected(tryton, null, { check: async () => Promise.reject(missing) })
    expect(await failureOf(placing(draft, createCall()))).to.equal(missing)
    expect(tryton.sales).to.deep.equal([])
    tryton.failNext('sale.sale.search_read', trytonRefusal('sale.sale.search_read', ["'web_id'", ''], ['web_id']))
    expect((await failureOf(connected(tryton)(draft, createCall()))).failure).to.equal('error')
  })

  it('has placed a confirmed order even when a module fails in the next step', async () => {
    for (const raised of ["'sale.sale'", "'default_warehouse'", 'division by zero', '[Errno 2] No such file']) {
      const tryton = createFakeSales()
      tryton.shop.dies = true
      tryton.failNext('sale.sale.process', trytonRefusal('sale.sale.process', [raised, '']))
      expect(await connected(tryton)(draft, createCall()), raised).to.include({ state: 'placed' })
      expect(tryton.sales.map(({ state }) => state)).to.deep.equal(['confirmed'])
    }
  })

  it('has not placed a confirmed order while the database is failing', async () => {
    for (const said of [
      'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
      'terminating connection due to administrator command',
      'connection already closed',
      'canceling statement due to statement timeout',
      '[Errno 28] No space left on device',
    ]) {
      const tryton = createFakeSales()
      tryton.shop.dies = true
      tryton.failNext('sale.sale.process', trytonRefusal('sale.sale.process', [said, '']))
      expect((await failureOf(connected(tryton)(draft, createCall()))).failure, said).to.equal('error')
      expect(await connected(tryton)(draft, createCall())).to.include({ state: 'placed' })
      expect(
        tryton.sales.map(({ state }) => state),
        said,
      ).to.deep.equal(['processing'])
    }
  })

  it('distinguishes a customer with dunning from one without credit', async () => {
    const tryton = createFakeSales()
    tryton.refuseNext('sale.sale.confirm', 'Party "Garage" has reached the credit limit level of Legal action.')
    expect(await connected(tryton)(draft, createCall())).to.include({ state: 'refused', reason: 'ACCOUNT_ON_HOLD' })
    expect(tryton.sales[0]!.state).to.equal('cancelled')
  })

  it('does not change a sale on an unknown error of Tryton', async () => {
    const tryton = createFakeSales()
    tryton.refuseNext('sale.sale.quote', 'The sequence is missing.')
    expect((await failureOf(connected(tryton)(draft, createCall()))).failure).to.equal('rejected')
    expect(await connected(tryton)(draft, createCall())).to.include({ state: 'placed' })
  })

  it("rejects a reference of another customer's order", async () => {
    const tryton = createFakeSales()
    await connected(tryton)(draft, createCall())
    const theirs = { ...draft, customer_id: '4' }
    expect((await failureOf(connected(tryton)(theirs, createCall()))).failure).to.equal('rejected')
  })

  it('processes an abandoned sale, and none that waits on purpose', async () => {
    for (const [after, state] of [
      [null, 'processing'],
      [{ seconds: 600 }, 'confirmed'],
    ] as const) {
      const tryton = createFakeSales()
      Object.assign(tryton.shop, { dies: true, sale_process_after: after })
      expect(await connected(tryton)(draft, createCall())).to.include({ state: 'placed' })
      expect(tryton.sales[0]!.state).to.equal(state)
    }
  })

  it('tries again when two transactions conflicted', async () => {
    const tryton = createFakeSales()
    const lock = new UpstreamError('error', 'could not obtain lock', { retryable: true })
    tryton.failNext('sale.sale.confirm', lock)
    expect(await connected(tryton)(draft, createCall())).to.include({ state: 'placed' })
  })
})
