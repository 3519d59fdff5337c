import { createHmac, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { toTrytonDecimal } from '../../adapters/tryton/client/tryton-values.ts'
import { type Reply, sendHttpRequest } from '../support/send-http-request.ts'
import { connectClerk } from '../support/tryton/connect-tryton.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../webhooks/webhook-receiver.ts'
import { requestFinalReply } from './support/final-reply.ts'
import { type ForecourtProcess, startForecourtProcess } from './support/forecourt-process.ts'
import { returnToStock, takeFromStock } from './support/take-from-tryton-stock.ts'
import { createTemporaryDatabase, type TemporaryDatabase } from './support/temporary-tryton-database.ts'
import { createFulfilment } from './support/tryton-fulfilment.ts'
import { waitUntil } from './support/wait-until.ts'
import { writeTrytonProduct } from './support/write-tryton-product.ts'

const EMAIL = 'Orders@hwtgarage.example'
const PASSWORD = 'correct horse battery'

interface Told {
  type: string
  resource: { type: string; id: string }
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  data: any
}

/** The complete path of a customer of the ledger and of the staff, where each step continues from the one before. */
describe('a shop on a real Tryton, from the configuration file to the paid invoice', function () {
  this.timeout(3_600_000)
  let shop: ForecourtProcess
  let desk: ReturnType<typeof connectClerk>
  let work: ReturnType<typeof createFulfilment>
  let receiver: WebhookReceiver
  let secret: string
  let token: string
  let orderId: string
  let cartId: string
  let own: TemporaryDatabase
  let earlier: string[]

  before(async () => {
    own = await createTemporaryDatabase()
    earlier = await sessions()
    desk = connectClerk(own.clerk)
    work = createFulfilment(desk.rpc)
    receiver = await startWebhookReceiver((_, answer) => void answer.writeHead(204).end())
    shop = await startForecourtProcess({
      erp: own.storefront,
      settings: [
        'feed: { interval_seconds: 1 }',
        'webhooks: { allow: ["127.0.0.1"] }',
        'mail: { url: "log:", from: "Spares <shop@spares.example>" }',
      ],
    })
  })
  after(async () => {
    await shop?.[Symbol.asyncDispose]()
    await receiver?.[Symbol.asyncDispose]()
    await desk?.close()
  })

  it('serves the catalog: pages, words, categories, tags, availability', async () => {
    const { data, pagination } = await good('GET', '/v1/products?limit=10')
    expect([data.length, pagination.has_more]).to.deep.equal([10, true])
    expect((await good('GET', '/v1/products?q=corolla+brake+pad')).data[0].sku).to.equal('PAD-001')
    const brakes = await good('GET', '/v1/products?category=brakes&limit=100')
    expect(brakes.data.map(({ sku }: { sku: string }) => sku)).to.include.members(['PAD-001', 'DSC-008'])
    expect((await good('GET', '/v1/products?tag=bestseller')).data.length).to.be.above(0)
    expect((await good('GET', '/v1/categories')).data.length).to.be.above(0)
    const pad = await good('GET', '/v1/products/PAD-001')
    expect(pad.price).to.include({ amount: '6000.00', price_type: 'LIST', currency: 'JMD' })
    expect(pad.tax).to.include({ rate: '0.15' })
    const skus = ['PAD-001', 'PAD-002', 'PAD-006', 'PAD-003', 'NO-SUCH']
    const batch = await good('POST', '/v1/availability/batch', { skus })
    expect(batch.unknown_skus).to.deep.equal(['NO-SUCH'])
    expect(batch.data.map(({ band }: { band: string }) => band).slice(0, 4)).to.deep.equal([
      'IN_STOCK',
      'LOW',
      'OUT',
      'LEAD_TIME',
    ])
  })

  it('subscribes a real endpoint to its events', async () => {
    await waitUntil('all that was there is known', async () => {
      const feeds = await shop.db.selectFrom('feeds').select('baseline').where('mode', '=', 'live').execute()
      return feeds.length === 5 && feeds.every(({ baseline }) => baseline === 0)
    })
    const { signing_secret } = await good('POST', '/v1/webhooks', {
      endpoint_url: `${receiver.url}/hooks`,
      event_types: ['*'],
    })
    secret = signing_secret
  })

  it('lets a customer of the ledger verify their email address, and sign in from a browser', async () => {
    const names = { first_name: 'Ann', last_name: 'Other' }
    const asked = await browser('', { email: EMAIL, password: PASSWORD, ...names })
    expect(asked.status, asked.text).to.equal(202)
    let proof = ''
    await waitUntil('the letter is there', async () => {
      proof = /within 24 hours[^:]*:\\n(\S+?)\\n/.exec(await shop.log())?.[1] ?? ''
      return proof !== ''
    })
    const verified = await requestFinalReply(() => browser('/verify', { token: proof, password: PASSWORD }))
    expect(verified.status, verified.text).to.equal(200)
    const signedIn = await browser('/login', { email: EMAIL.toLowerCase(), password: PASSWORD })
    expect(signedIn.status, signedIn.text).to.equal(200)
    token = signedIn.body.shopper_token
    expect(await good('GET', '/v1/me')).to.include({ customer_id: '3' })
  })

  it('shows contract prices, fills a cart in boxes, and prices it', async () => {
    const filter = await good('GET', '/v1/products/OFL-001')
    expect(filter.price).to.include({ price_type: 'CONTRACT', list_amount: '1100.25' })
    expect(filter.order_uoms.map(({ uom }: { uom: string }) => uom)).to.include('box')
    cartId = (await good('POST', '/v1/carts')).cart_id
    const line = { sku: 'OFL-001', order_uom: 'box', order_quantity: 2 }
    expect((await good('POST', `/v1/carts/${cartId}/lines`, line)).lines[0]).to.include({ quantity: 24 })
    const priced = await good('POST', `/v1/carts/${cartId}/price`)
    expect(priced.lines[0].unit_price.amount).to.equal('880.20')
    expect(priced.totals.total.amount).to.equal('24293.52')
  })

  it('creates one order from the cart, and repeats its response for the same key', async () => {
    const before = await credit()
    const headers = { 'idempotency-key': randomUUID() }
    const body = { cart_id: cartId, payment_method: 'CREDIT_TERMS', po_number: 'PO 77' }
    const placed = await requestFinalReply(() => shop.ask('POST', '/v1/checkout', { body, token, headers }))
    expect([placed.status, isTaken(placed.body)], placed.text).to.deep.equal([200, true])
    const again = await shop.ask('POST', '/v1/checkout', { body, token, headers })
    expect([again.status, again.text, again.headers['idempotent-replayed']]).to.deep.equal([200, placed.text, 'true'])
    orderId = placed.body.order_id
    await waitUntil(
      'the order is confirmed',
      async () => (await good('GET', `/v1/orders/${orderId}`)).status === 'CONFIRMED',
    )
    expect(await good('GET', `/v1/orders/${orderId}`)).to.include({ po_number: 'PO 77' })
    expect(before - (await credit())).to.be.closeTo(24_293.52, 0.001)
    expect((await told('order.confirmed', orderId)).data).to.include({ status: 'CONFIRMED' })
  })

  it('reports the shipment when the warehouse has shipped the goods', async () => {
    await work.ship(orderId)
    const { data } = await told('order.shipped', orderId)
    expect(data).to.include({ status: 'SHIPPED' })
    expect(data.shipments[0].lines[0]).to.include({ sku: 'OFL-001' })
    const order = await good('GET', `/v1/orders/${orderId}`)
    expect(order.status, JSON.stringify(order)).to.equal('SHIPPED')
    const cancelling = { token, body: { reason: 'OTHER' } }
    const { status, body, text } = await requestFinalReply(() =>
      shop.ask('POST', `/v1/orders/${orderId}/cancel`, cancelling),
    )
    expect([status, body.code], text).to.deep.equal([409, 'order_not_cancellable'])
  })

  it('reports the invoice and its payment, which restores the credit', async () => {
    const full = (await credit()) + 24_293.52
    await work.bill(orderId)
    const ofOrder = ({ data }: Told) => data.order_id === orderId
    const issued = await toldOf('invoice.issued', ofOrder)
    const invoice = await good('GET', `/v1/invoices/${issued.resource.id}`)
    expect([invoice.total.amount, invoice.balance.amount]).to.deep.equal(['24293.52', '24293.52'])
    await work.pay(orderId)
    await toldOf('invoice.paid', ofOrder)
    expect((await good('GET', `/v1/invoices/${issued.resource.id}`)).balance.amount).to.equal('0.00')
    expect(await good('GET', `/v1/checkout/${orderId}/payment-status`)).to.have.nested.include({ terminal: true })
    expect(await credit()).to.be.closeTo(full, 0.001)
  })

  it('cancels an order, and releases its credit', async () => {
    const before = await credit()
    cartId = (await good('POST', '/v1/carts')).cart_id
    await good('POST', `/v1/carts/${cartId}/lines`, { sku: 'PAD-001', quantity: 2 })
    const { order_id } = await good('POST', '/v1/checkout', { cart_id: cartId })
    await waitUntil(
      'the order is confirmed',
      async () => (await good('GET', `/v1/orders/${order_id}`)).status === 'CONFIRMED',
    )
    expect(before - (await credit())).to.be.closeTo(2 * 5_700 * 1.15, 0.001)
    const gone = await good('POST', `/v1/orders/${order_id}/cancel`, { reason: 'CUSTOMER_REQUEST' })
    expect(gone).to.include({ status: 'CANCELLED' })
    expect(await credit()).to.be.closeTo(before, 0.001)
    expect((await told('order.cancelled', order_id)).data).to.include({ cancel_reason: 'CUSTOMER_REQUEST' })
  })

  it('reports a new price, a new name and a changed band, and serves them', async () => {
    await writeTrytonProduct(desk.rpc, 'DSC-001', { list_price: toTrytonDecimal('11500.00') })
    expect((await toldOf('product.updated', isOf('DSC-001', 'price'))).data.changed).to.deep.equal(['price'])
    await writeTrytonProduct(desk.rpc, 'DSC-002', { name: 'Brake Disc Fit, vented' })
    await toldOf('product.updated', isOf('DSC-002', 'details'))
    expect(await good('GET', '/v1/products/DSC-002')).to.include({ name: 'Brake Disc Fit, vented' })
    const list = await requestFinalReply(() => shop.ask('GET', '/v1/products/DSC-001'))
    expect(list.body.price.amount).to.equal('11500.00')
    await takeFromStock(desk.rpc, 'AFL-002', 33)
    expect((await told('stock.changed', 'AFL-002')).data).to.deep.equal({
      sku: 'AFL-002',
      band: 'LOW',
      previous_band: 'IN_STOCK',
      eta: null,
    })
    expect((await good('GET', '/v1/products/AFL-002/availability')).band).to.equal('LOW')
    await putBack()
  })

  it('leaves no session in Tryton when it ends', async () => {
    const left = async () => (await sessions()).filter((key) => !earlier.includes(key))
    expect(await left()).to.have.lengthOf.at.least(1)
    await shop.servers[0]!.stop()
    expect(await left()).to.deep.equal([])
  })

  /** So that the suite can run again on the same Tryton. */
  async function putBack(): Promise<void> {
    await returnToStock(desk.rpc, 'AFL-002', 33)
    await writeTrytonProduct(desk.rpc, 'DSC-001', { list_price: toTrytonDecimal('11000.50') })
    await writeTrytonProduct(desk.rpc, 'DSC-002', { name: 'Brake Disc Fit' })
  }

  /** The sessions of the account of the storefront. */
  async function sessions(): Promise<string[]> {
    const text =
      'select ir_session.key from ir_session join res_user on res_user.id = ir_session.create_uid where login = $1'
    return (await own.sql(text, [own.storefront.user])).map(({ key }) => String(key))
  }

  /** On a busy machine, Tryton may take longer than a checkout waits. */
  const isTaken = ({ state }: { state: string }) => state === 'placed' || state === 'processing'
  /** A pending order cannot be cancelled until it is final. */
  const isPlaced = ({ status, body }: Reply) => status !== 409 || body.current_status !== 'PENDING'
  const credit = async () => Number((await good('GET', '/v1/me/credit-status')).available_credit.amount)
  const isOf = (sku: string, changed: string) => (event: Told) =>
    event.resource.id === sku && event.data.changed.includes(changed)

  /** Returns the body of a successful response; as the signed-in shopper, once there is one. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  async function good(method: string, path: string, body?: unknown): Promise<any> {
    const ask = () => shop.ask(method, path, { body, ...(token && { token }) })
    const { status, text, ...reply } = await requestFinalReply(ask, isPlaced)
    expect(status, `${method} ${path} ${text}`).to.be.oneOf([200, 201])
    return reply.body
  }

  function browser(call: string, body: unknown): Promise<Reply> {
    const headers = { authorization: `Bearer ${shop.keys.publishable}`, origin: 'https://shop.example' }
    return sendHttpRequest(shop.servers[0]!.address, `/v1/shoppers${call}`, { method: 'POST', headers, body })
  }

  const told = (type: string, id: string) => toldOf(type, (event) => event.resource.id === id)

  /** Returns the signed event that the endpoint received. */
  async function toldOf(type: string, fits: (event: Told) => boolean): Promise<Told> {
    let found: Told | undefined
    await waitUntil(`${type} has come`, () => {
      for (const { headers, body } of receiver.received) {
        const event = JSON.parse(body.toString()) as Told
        if (event.type !== type || !fits(event)) continue
        const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
        const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
        const digest = createHmac('sha256', key).update(signed).digest('base64')
        expect(headers['webhook-signature']).to.equal(`v1,${digest}`)
        found = event
      }
      return found !== undefined
    })
    return found!
  }
})
