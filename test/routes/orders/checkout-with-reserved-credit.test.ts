import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { setCreditLimit } from '../../../src/sandbox/control/accounting-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { type FaultProxy, type ProxyRoute, startFaultProxy } from '../../support/fault-proxy.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

const line = { sku: knownSkus.inStock, quantity: 2 }

for (const store of stores())
  describe(`POST /v1/checkout with credit_reservation, on ${store.name}`, () => {
    let between: FaultProxy
    let ledger: ProxyRoute
    const servers: Api[] = []
    let shoppers: CartShopper[]

    before(async () => {
      between = await startFaultProxy()
      ledger = between.createRoute()
      const url = await store.createMigrated()
      for (let started = 0; started < store.maxServers; started += 1) servers.push(await startServer(url))
      shoppers = await Promise.all(servers.map((api) => cartShopper(api, { merchant: 'unchecked' })))
    })
    after(async () => {
      for (const api of servers.splice(0)) await api[Symbol.asyncDispose]()
      await between[Symbol.asyncDispose]()
      await store.close()
    })

    /** All servers read the systems of the first one. */
    const startServer = (url: string) =>
      startApi({
        store: url,
        merchants: (of) => {
          const systemsOf = servers[0] ? servers[0].systems : null
          const shared = (name: 'inventory' | 'pricing' | 'accounting') => {
            const system = of('acme')[name]!
            return systemsOf ? { ...system, address: `${systemsOf[name].address}/acme` } : system
          }
          const accounting = shared('accounting')
          const sandbox = {
            inventory: shared('inventory'),
            pricing: shared('pricing'),
            accounting: {
              ...accounting,
              address: ledger.addressFor(accounting.address),
              settings: { ...accounting.settings, credit_reservation: { exposure_delay_seconds: 0 } },
            },
          }
          return [{ merchant: 'unchecked', live: of('acme-live'), sandbox }]
        },
      })

    it('keeps the credit of an order that accounting has not confirmed, until the order is cancelled', async () => {
      const [first, second] = [shoppers[0]!, shoppers.at(-1)!]
      const checkOut = async (shopper: CartShopper, path: string) => {
        const { body, text, status } = await shopper.ask('POST', '/v1/checkout', { cart_id: path.split('/').at(-1) })
        expect(status, text).to.equal(200)
        return body
      }
      const [path, otherPath] = [await first.cart(line), await second.cart(line)]
      const { totals } = await first.read('POST', `${path}/price`)
      const total = new Decimal(totals!.total.amount)
      const { body: before } = await first.ask('GET', '/v1/me/credit-status')
      const used = new Decimal(before.balance.amount).plus(before.open_orders.amount)
      const control = servers[0]!.systems.accounting.controlAddress
      await setCreditLimit(control, 'acme', 'C-1001', used.plus(total).plus(1_000).toFixed(2))

      ledger.setPlan((_, body) => (body.includes('"reference":"ord_') ? 'cut' : undefined))
      const pending = await checkOut(first, path)
      expect(pending.state).to.equal('processing')

      const money = (amount: Decimal.Value) => ({ amount: new Decimal(amount).toFixed(2), currency: 'JMD' })
      const shortfall = money(total.minus(1_000))
      const expected = {
        state: 'over_credit_limit',
        order_id: null,
        totals,
        shortfall,
        remedies: ['REDUCE_ORDER', 'PAY_BALANCE', 'CHOOSE_CASH_ON_DELIVERY'],
      }
      const over = await checkOut(second, otherPath)
      expect(over).to.deep.include(expected)
      const credit = { enabled: true, would_exceed: true, shortfall, available_credit: money(1_000) }
      expect(over.credit).to.deep.include(credit)

      ledger.setPlan()
      const row = servers[0]!.db.selectFrom('orders').select('status').where('order_id', '=', pending.order_id)
      await until('accounting has the order', async () => (await row.executeTakeFirst())?.status === 'CONFIRMED')
      const overByLedger = await checkOut(second, otherPath)
      expect(overByLedger).to.deep.include(expected)
      expect(overByLedger.credit).to.deep.include(credit)

      const cancelled = await first.ask('POST', `/v1/orders/${pending.order_id}/cancel`, { reason: 'CUSTOMER_REQUEST' })
      expect(cancelled.status, cancelled.text).to.equal(200)
      expect((await checkOut(second, otherPath)).state).to.equal('placed')
    })
  })
