import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { adapters } from '../../../src/adapters.ts'
import type { FeedScheduler } from '../../../src/changes/schedule/feed-scheduler.ts'
import { createFeedScheduler } from '../../../src/changes/schedule/feed-scheduler.ts'
import { systems } from '../../../src/ports/system.ts'
import { issueInvoice, settleInvoice, shipOrder } from '../../../src/sandbox/control/accounting-control-client.ts'
import { setStock, updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { setPrice } from '../../../src/sandbox/control/pricing-control-client.ts'
import { tenantKey } from '../../../src/tenant.ts'
import { createRequestScope } from '../../../src/upstream/request/request-scope.ts'
import { createUpstreamRegistry, type UpstreamRegistry } from '../../../src/upstream/upstream-registry.ts'
import { type CartShopper, cartShopper } from '../../routes/carts/cart-shopper-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { pictureUrls } from '../../support/fake-picture-urls.ts'
import type { ReportedChange } from '../test-feed.ts'

describe('the change feed of the embedded back office', () => {
  let api: Api
  let shopper: CartShopper
  let upstreams: UpstreamRegistry
  let feed: FeedScheduler
  let clock: number
  const reportedChanges: ReportedChange[] = []

  before(async () => {
    api = await startApi()
    shopper = await cartShopper(api, { customer: 'C-1003' })
    const merchant = {
      merchant: 'acme',
      name: 'Acme',
      currency: 'JMD',
      timeZone: 'America/Jamaica',
      sandbox: null,
      live: {},
      bands: { low: 5, hysteresis: 2 },
    }
    const rest = {
      adapter: 'rest',
      settings: { token: 'sandbox' },
      maxResponseBytes: 16 * 1_048_576,
      limits: { timeoutMs: 60_000 },
    }
    upstreams = createUpstreamRegistry({
      merchants: [merchant],
      adapters,
      cacheBytes: 1_048_576,
      pictureUrls: (_, picture) => pictureUrls(picture),
      embeddedSystemsFor: () =>
        Object.fromEntries(
          systems.map((system) => [system, { ...rest, address: `${api.systems[system].address}/acme` }]),
        ),
    })
    clock = Date.now()
    feed = createFeedScheduler({
      db: api.db,
      now: () => clock,
      holder: 'one',
      intervalMs: null,
      upstreams: [
        {
          merchant: 'acme',
          mode: 'sandbox',
          backOffice: upstreams.forTenant({ merchant: 'acme', mode: 'sandbox' })!.backOffice,
        },
      ],
      onChanged: (tenant, skus, { details }) => void reportedChanges.push({ tenant: tenantKey(tenant), skus, details }),
      onError: (error) => {
        throw error
      },
    })
    await feed.tick()
  })
  after(async () => {
    await feed[Symbol.asyncDispose]()
    await upstreams[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })

  const accounting = () => api.systems.accounting.controlAddress
  async function rounds() {
    await feed.tick()
    clock += 6_000
    await feed.tick()
  }
  const events = async (id: string) => {
    const rows = api.db.selectFrom('events').select(['type', 'sequence', 'data']).where('resource_id', '=', id)
    return (await rows.orderBy('resource_type').orderBy('sequence').execute()).map((row) => ({
      ...row,
      data: JSON.parse(row.data),
    }))
  }
  const kinds = async (id: string) => (await events(id)).map(({ type, sequence }) => `${sequence} ${type}`)
  async function ordered() {
    const cart_id = (await shopper.cart({ sku: knownSkus.inStock, quantity: 1 })).split('/').at(-1)
    const { body } = await shopper.ask('POST', '/v1/checkout', { cart_id })
    const row = await api.db
      .selectFrom('orders')
      .select('placed')
      .where('order_id', '=', body.order_id)
      .executeTakeFirst()
    return { id: body.order_id as string, ledgerId: JSON.parse(row!.placed!).order_id as string }
  }

  it('reports nothing that existed before', async () => {
    const rows = await api.db.selectFrom('feeds').select(['source', 'baseline']).orderBy('source').execute()
    expect(rows).to.deep.equal(
      ['invoices', 'orders', 'prices', 'products', 'stock'].map((source) => ({ source, baseline: 0 })),
    )
    expect(await api.db.selectFrom('events').selectAll().execute()).to.deep.equal([])
  })

  it('reports an order from its checkout to its payment', async () => {
    const { id, ledgerId } = await ordered()
    await rounds()
    await shipOrder(accounting(), 'acme', ledgerId)
    const { invoice_id } = await issueInvoice(accounting(), 'acme', ledgerId)
    await rounds()
    await settleInvoice(accounting(), 'acme', invoice_id)
    await rounds()
    expect(await kinds(id)).to.deep.equal(['1 order.confirmed', '2 order.shipped'])
    expect(await kinds(invoice_id)).to.deep.equal(['1 invoice.issued', '2 invoice.paid'])
    const [issued] = await events(invoice_id)
    expect(issued!.data).to.include({ order_id: id, customer_id: 'C-1003' })
  })

  it('reports a cancellation once when the process was killed between accounting and its own store', async () => {
    const { id, ledgerId } = await ordered()
    await rounds()
    const requestScope = createRequestScope({ requestId: 'killed' }, { totalMs: 60_000, reserveMs: 0 })
    const { accounting: account } = upstreams.forTenant({ merchant: 'acme', mode: 'sandbox' })!.backOffice
    const why = { reason: 'CUSTOMER_REQUEST', note: null }
    await account.cancelOrder('C-1003', { order_id: ledgerId }, why, { requestScope, priority: 'checkout' })
    expect(await kinds(id)).to.deep.equal(['1 order.confirmed'])
    await rounds()
    await rounds()
    expect(await kinds(id)).to.deep.equal(['1 order.confirmed', '2 order.cancelled'])
    const row = await api.db.selectFrom('orders').select('status').where('order_id', '=', id).executeTakeFirst()
    expect(row).to.deep.equal({ status: 'CANCELLED' })
    const again = await shopper.ask('POST', `/v1/orders/${id}/cancel`, {})
    expect(again.body.status).to.equal('CANCELLED')
    expect(await kinds(id)).to.have.length(2)
  })

  it('reports changes of a product, its price and its stock', async () => {
    const sku = knownSkus.inStock
    await updateProduct(api.systems.inventory.controlAddress, 'acme', sku, { name: 'Another name' })
    await setPrice(api.systems.pricing.controlAddress, 'acme', sku, '123.45')
    await setStock(api.systems.inventory.controlAddress, 'acme', sku, { available: 0, expected: [] })
    await rounds()
    const told = await events(sku)
    expect(told.map(({ type, data }) => `${type} ${data.changed ?? data.band}`).sort()).to.deep.equal([
      'product.updated details',
      'product.updated price',
      'stock.changed OUT',
    ])
    expect(reportedChanges.map(({ skus }) => skus)).to.deep.include([sku])
    await updateProduct(api.systems.inventory.controlAddress, 'acme', sku, { active: false })
    await rounds()
    expect(await kinds(sku)).to.include('3 product.deactivated')
  })
})
