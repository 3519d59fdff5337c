import { expect } from 'chai'
import { Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { Call } from '../../src/ports/call.ts'
import type { HttpClient } from '../../src/ports/http-client.ts'
import type { OrderDraft, PlaceOrderResult } from '../../src/ports/order.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { createOrderDraft } from '../adapters/conformance/order-draft.ts'
import { failureOf } from '../support/failure-of.ts'
import { connectClerk, connectTrytonPorts } from '../support/tryton/connect-tryton.ts'
import { trytonAccess } from './support/tryton-environment.ts'
import { trytonSeriesDifferences } from './support/tryton-series-differences.ts'
import { readWorkerPids } from './support/worker-pids.ts'

const Sales = responseSchema(Type.Array(Type.Object({ id: Type.Integer(), state: Type.String() })))
const Credit = responseSchema(Type.Array(Type.Object({ credit_amount: Type.Object({ decimal: Type.String() }) })))
const Ids = responseSchema(Type.Array(Type.Integer()))
const Anything = responseSchema(Type.Unknown())
const GARAGE = '3'
const HOTEL = '6'
const run = Date.now().toString(36)
const methodOf = (body: unknown) => (body as { method: string }).method

function requestScope(timeoutMs = 600_000): Call {
  const end = Date.now() + timeoutMs
  return {
    signal: AbortSignal.timeout(timeoutMs),
    timeoutMs: () => Math.max(0, end - Date.now()),
    requestId: 'orders',
  }
}

describe('tryton: orders under failures', function () {
  this.timeout(3_600_000)
  const server = trytonAccess()
  const desk = connectClerk(server.clerk)
  const open: { close(): Promise<void> }[] = []
  const made: OrderDraft[] = []
  let n = 0

  const connected = (seen?: (client: HttpClient) => HttpClient) => {
    const ports = connectTrytonPorts(server.storefront, seen)
    open.push(ports)
    return ports.accounting as Required<typeof ports.accounting>
  }
  const goods = { sku: 'PAD-001', uom: 'u', unitPrice: '5700.00' }
  const draft = (customerId = GARAGE, quantity = '1') => {
    n += 1
    const own = customerId === GARAGE ? goods : { ...goods, unitPrice: '6000.00' }
    const one = createOrderDraft({ reference: `ord_${run}x${n}`, customerId, goods: own, quantity })
    made.push(one)
    return one
  }
  const salesOf = (reference: string) =>
    desk.rpc(Sales, 'sale.sale.search_read', [[['web_id', '=', reference]], 0, null, null, ['state']], requestScope())
  const cancelled = { reason: 'OTHER', note: null }

  afterEach(async () => {
    const port = connected()
    for (const { customer_id, reference } of made.splice(0))
      await port.cancelOrder(customer_id, { reference }, cancelled, requestScope())
    for (const one of open.splice(0)) await one.close()
  })

  after(() => desk.close())

  it('shows only orders of the storefront', async () => {
    const { orders } = await connected().orders(HOTEL, { limit: 200, offset: 0, status: 'SHIPPED' }, requestScope())
    expect(orders.map(({ reference }) => reference)).to.deep.equal(['ord_demo0part'])
  })

  it('returns a credit note without signs, and the paid part of an invoice', async () => {
    const { invoices } = await connected().invoices(
      HOTEL,
      { limit: 200, offset: 0, today: '2000-01-01' },
      requestScope(),
    )
    const part = invoices.find(({ order_reference }) => order_reference === 'ord_demo0part')!
    const note = invoices.find(({ type }) => type === 'CREDIT_NOTE')!
    expect([note, part].map(({ type, status, total, balance }) => [type, status, total, balance])).to.deep.equal([
      ['CREDIT_NOTE', 'OPEN', '977.50', '977.50'],
      ['INVOICE', 'PARTIALLY_PAID', '5865.00', '4865.00'],
    ])
    expect(part.payments.map(({ amount, method }) => [amount, method])).to.deep.equal([['1000.00', 'Cash']])
  })

  it('creates one sale per reference for parallel callers', async () => {
    const one = draft()
    const answers = await Promise.all(Array.from({ length: 8 }, () => placedAtLast(connected(), one)))
    // Tryton confirms and processes in two transactions: a caller in between sees the first one.
    expect(new Set(answers.map(orderIdOf)).size).to.equal(1)
    expect((await salesOf(one.reference)).map(({ state }) => state)).to.deep.equal(['processing'])
  })

  it('creates one sale, whichever response is lost', async () => {
    let steps = 0
    for (let step = 1, lost = true; lost; step += 1) {
      const one = draft()
      lost = false
      let seen = 0
      const losing = connected((client) => ({
        ...client,
        async send(exchange, call) {
          const reply = await client.send(exchange, call)
          if (!isWrite(exchange.body)) return reply
          seen += 1
          if (seen !== step) return reply
          lost = true
          throw new UpstreamError('timeout', 'the answer was lost')
        },
      }))
      const told = await losing.placeOrder(one, requestScope()).then(
        ({ state }) => state,
        (error: UpstreamError) => error.failure,
      )
      expect(told).to.equal(lost ? 'timeout' : 'placed')
      steps += lost ? 1 : 0
      const answer = await connected().placeOrder(one, requestScope())
      expect(answer.state).to.equal('placed')
      expect(
        (await salesOf(one.reference)).map(({ state }) => state),
        `step ${step}`,
      ).to.deep.equal(['processing'])
    }
    expect(steps).to.be.at.least(4)
  })

  it('cancels an order from any step at which another process ended, and reports it when it is done', async () => {
    let steps = 0
    for (let step = 1, lost = true; lost; step += 1) {
      const one = draft()
      const key = { reference: one.reference }
      await placedAtLast(connected(), one)
      lost = false
      let seen = 0
      const dying = connected((client) => ({
        ...client,
        async send(exchange, call) {
          if (lost) throw new UpstreamError('timeout', 'it is dead')
          const reply = await client.send(exchange, call)
          seen += isChange(exchange.body) ? 1 : 0
          lost = seen === step
          return reply
        },
      }))
      await dying.cancelOrder(GARAGE, key, cancelled, requestScope()).catch(() => {})
      steps += lost ? 1 : 0
      const between = await connected().order(GARAGE, key, requestScope())
      const [sale] = await salesOf(one.reference)
      expect(between?.status, `step ${step}`).to.equal(sale!.state === 'done' ? 'CANCELLED' : 'CONFIRMED')
      const told = await connected().cancelOrder(GARAGE, key, cancelled, requestScope())
      expect(told, `step ${step}`).to.have.nested.include({ state: 'cancelled', 'order.status': 'CANCELLED' })
      expect((await salesOf(one.reference)).map(({ state }) => state)).to.deep.equal(['done'])
    }
    expect(steps).to.be.at.least(4)
  })

  for (const method of ['sale.sale.create', 'ir.attachment.create', 'sale.sale.quote', 'sale.sale.confirm']) {
    it(`is not changed by a late ${method}`, async () => {
      const one = draft()
      let late = () => Promise.resolve<unknown>(undefined)
      const slow = connected((client) => ({
        ...client,
        async send(exchange, call) {
          if (methodOf(exchange.body) !== `model.${method}`) return client.send(exchange, call)
          late = () => client.send(exchange, requestScope())
          throw new UpstreamError('timeout', 'nothing came back')
        },
      }))
      expect((await failureOf(slow.placeOrder(one, requestScope()))).failure).to.equal('timeout')
      const answer = await connected().placeOrder(one, requestScope())
      await late()
      expect(await connected().placeOrder(one, requestScope())).to.deep.equal(answer)
      expect((await salesOf(one.reference)).map(({ state }) => state)).to.deep.equal(['processing'])
      const gone = await connected().cancelOrder(GARAGE, { reference: one.reference }, cancelled, requestScope())
      await late()
      expect(await connected().order(GARAGE, { reference: one.reference }, requestScope())).to.deep.equal(
        gone?.state === 'cancelled' && gone.order,
      )
    })
  }

  it('never lets parallel orders of one process exceed the limit of Tryton', async () => {
    const drafts = Array.from({ length: 6 }, () => draft(HOTEL, '2'))
    // Tryton reads the credit as of before it locks, so those of several processes may.
    const port = connected()
    const answers = await Promise.all(drafts.map((one) => placedAtLast(port, one)))
    const [credit] = await desk.rpc(Credit, 'party.party.read', [[Number(HOTEL)], ['credit_amount']], requestScope())
    expect(Number(credit!.credit_amount.decimal)).to.be.at.most(60_000)
    const reasons = answers.flatMap((answer) => (answer.state === 'refused' ? [answer.reason] : []))
    expect(reasons).to.include('OVER_CREDIT_LIMIT')
    for (const [i, one] of drafts.entries()) {
      expect(orderIdOf(await connected().placeOrder(one, requestScope()))).to.equal(orderIdOf(answers[i]!))
      await connected().cancelOrder(HOTEL, { reference: one.reference }, cancelled, requestScope())
    }
  })

  it('continues after the server was suspended', async () => {
    const one = draft()
    const port = connected()
    await port.order(GARAGE, { reference: one.reference }, requestScope())
    const workers = readWorkerPids(server.pidFile)
    for (const pid of workers) process.kill(pid, 'SIGSTOP')
    try {
      for (let tries = 0; tries < 3; tries += 1)
        expect((await failureOf(connected().placeOrder(one, requestScope(400)))).failure).to.be.oneOf([
          'timeout',
          'aborted',
        ])
      expect((await failureOf(port.placeOrder(one, requestScope(400)))).failure).to.be.oneOf(['timeout', 'aborted'])
    } finally {
      for (const pid of workers) process.kill(pid, 'SIGCONT')
    }
    const answer = await placedAtLast(connected(), one)
    expect(answer.state).to.equal('placed')
    expect(await connected().placeOrder(one, requestScope())).to.deep.equal(answer)
    expect((await salesOf(one.reference)).map(({ state }) => state)).to.deep.equal(['processing'])
  })

  it('does not report a confirmed sale before its shipment is made, because its checkout has not finished', async () => {
    const one = draft()
    const port = connected()
    await port.placeOrder(one, requestScope())
    const { placed_at } = (await port.order(GARAGE, { reference: one.reference }, requestScope()))!
    // The sale as it is between the two transactions of Tryton.
    const between = connected((client) => ({
      ...client,
      async send(exchange, call) {
        const reply = await client.send(exchange, call)
        if (methodOf(exchange.body) !== 'model.sale.sale.search_read') return reply
        return { ...reply, text: reply.text.replaceAll('"processing"', '"confirmed"') }
      },
    }))
    const isReportedBy = async (reader: typeof port) =>
      (await reader.orderChanges({ since: placed_at, limit: 500, offset: 0 }, requestScope())).changes.some(
        ({ reference }) => reference === one.reference,
      )
    expect([await isReportedBy(between), await isReportedBy(port)]).to.deep.equal([false, true])
  })

  it('reports shipments and the invoice, and does not cancel them', async () => {
    const one = draft(GARAGE, '3')
    const port = connected()
    const placed = await port.placeOrder(one, requestScope())
    const id = Number(orderIdOf(placed))
    const key = { reference: one.reference }
    // A server that ran these tests before has more orders than a page.
    const since = (await port.order(GARAGE, key, requestScope()))!.placed_at
    const now = async () => (await port.order(GARAGE, key, requestScope()))!
    const newest = async () =>
      (await port.orderChanges({ since, limit: 500, offset: 0 }, requestScope())).changes.at(-1)
    const act = (method: string, ...params: unknown[]) => desk.rpc(Anything, method, params, requestScope())

    const [first] = await desk.rpc(Ids, 'stock.shipment.out.search', [[['moves.sale', '=', id]]], requestScope())
    const [inside] = await desk.rpc(
      Ids,
      'stock.move.search',
      [
        [
          ['shipment', '=', `stock.shipment.out,${first}`],
          ['to_location.type', '=', 'storage'],
        ],
      ],
      requestScope(),
    )
    await act('stock.move.write', [inside], { quantity: 1 })
    for (const step of trytonSeriesDifferences().shipmentSteps) await act(`stock.shipment.out.${step}`, [first])
    expect(await now()).to.have.nested.include({ status: 'PARTIALLY_SHIPPED', 'shipments[0].lines[0].quantity': '1' })
    expect(await newest()).to.deep.equal(await now())

    const rest = await desk.rpc(
      Ids,
      'stock.shipment.out.search',
      [
        [
          ['moves.sale', '=', id],
          ['state', '!=', 'done'],
        ],
      ],
      requestScope(),
    )
    for (const step of trytonSeriesDifferences().shipmentSteps) await act(`stock.shipment.out.${step}`, rest)
    expect((await now()).status).to.equal('SHIPPED')
    expect((await now()).shipments.map(({ lines }) => lines[0]!.quantity)).to.deep.equal(['1', '2'])
    expect(await port.cancelOrder(GARAGE, key, cancelled, requestScope())).to.deep.equal({
      state: 'refused',
      status: 'SHIPPED',
    })

    const bills = await desk.rpc(Ids, 'account.invoice.search', [[['sales', '=', id]]], requestScope())
    await act('account.invoice.post', bills)
    expect(await newest()).to.deep.equal(await now())
    expect((await now()).invoiced).to.equal(true)
    const feed = await port.invoiceChanges({ since, limit: 500, offset: 0 }, requestScope())
    expect(feed.changes.at(-1)).to.include({ order_reference: one.reference, customer_id: GARAGE, status: 'OPEN' })
  })

  it('leaves a shipment that is sent while its order is being cancelled, and its invoice', async () => {
    const one = draft()
    const key = { reference: one.reference }
    const id = Number(orderIdOf(await placedAtLast(connected(), one)))
    const shipments = await desk.rpc(Ids, 'stock.shipment.out.search', [[['moves.sale', '=', id]]], requestScope())
    let sent = 0
    const slow = connected((client) => ({
      ...client,
      async send(exchange, call) {
        if (methodOf(exchange.body) === 'model.stock.shipment.out.cancel' && sent++ === 0)
          for (const step of trytonSeriesDifferences().shipmentSteps)
            await desk.rpc(Anything, `stock.shipment.out.${step}`, [shipments], requestScope())
        return client.send(exchange, call)
      },
    }))
    expect(await slow.cancelOrder(GARAGE, key, cancelled, requestScope())).to.deep.equal({
      state: 'refused',
      status: 'SHIPPED',
    })
    expect(sent).to.equal(1)
    const order = (await connected().order(GARAGE, key, requestScope()))!
    expect(order).to.deep.include({ status: 'SHIPPED' })
    expect(order.shipments.map(({ lines }) => lines)).to.deep.equal([[{ sku: 'PAD-001', quantity: '1' }]])
    const invoices = await desk.rpc(
      Sales,
      'account.invoice.search_read',
      [[['sales', '=', id]], 0, null, null, ['state']],
      requestScope(),
    )
    expect(invoices.map(({ state }) => state)).to.deep.equal(['draft'])
  })

  it('refuses to cancel an invoiced order, and reports a deactivated customer as on hold', async () => {
    const one = draft()
    const port = connected()
    const id = Number(orderIdOf(await port.placeOrder(one, requestScope())))
    const bills = await desk.rpc(Ids, 'account.invoice.search', [[['sales', '=', id]]], requestScope())
    await desk.rpc(Anything, 'account.invoice.post', [bills], requestScope())
    const refused = { state: 'refused', status: 'CONFIRMED' }
    expect(await port.cancelOrder(GARAGE, { reference: one.reference }, cancelled, requestScope())).to.deep.equal(
      refused,
    )

    const active = (yes: boolean) =>
      desk.rpc(Anything, 'party.party.write', [[Number(HOTEL)], { active: yes }], requestScope())
    await active(false)
    try {
      expect(await port.customer(HOTEL, requestScope())).to.include({ status: 'ON_HOLD' })
      expect(await port.credit(HOTEL, requestScope())).to.include({ on_hold: true })
      expect(await port.placeOrder(draft(HOTEL), requestScope())).to.include({
        state: 'refused',
        reason: 'ACCOUNT_ON_HOLD',
      })
    } finally {
      await active(true)
    }
  })
})

const orderIdOf = (answer: PlaceOrderResult) => (answer.state === 'placed' ? answer.order.order_id : answer.reason)

/** Retries a call while its failure is retryable, as the retrier of pending orders does. */
async function placedAtLast(
  port: { placeOrder(draft: OrderDraft, call: Call): Promise<PlaceOrderResult> },
  one: OrderDraft,
): Promise<PlaceOrderResult> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await port.placeOrder(one, requestScope())
    } catch (error) {
      if (tries === 200 || !(error instanceof UpstreamError) || !error.retryable) throw error
    }
  }
}

const isChange = (body: unknown) => /\.(write|cancel|execute)$/.test(methodOf(body))
const isWrite = (body: unknown) => /\.(create|quote|confirm|write|cancel)$/.test(methodOf(body))
