import { expect } from 'chai'
import type { CommandDependencies, CustomerCommandContext } from '../../../src/commands/command-context.ts'
import { checkOut } from '../../../src/commands/orders/check-out.ts'
import type { CheckoutOutcome, OverCreditLimit } from '../../../src/commands/orders/checkout-outcome.ts'
import { markOrderCancelled } from '../../../src/commands/orders/order-transitions.ts'
import { createPendingOrderRetrier } from '../../../src/commands/orders/pending-order-retrier.ts'
import type { MerchantConfig } from '../../../src/config/merchant-config.ts'
import type { CheckoutIn } from '../../../src/contract/orders/checkout.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { CreditReservation } from '../../../src/ports/accounting.ts'
import { insertCart } from '../../../src/storage/commerce/carts.ts'
import type { OrderRecord } from '../../../src/storage/commerce/orders.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import type { Tenant } from '../../../src/tenant.ts'
import { createRequestScope } from '../../../src/upstream/request/request-scope.ts'
import { failureOf } from '../../support/failure-of.ts'
import { stores } from '../../support/stores.ts'
import { createUncheckedLedger, LEDGER_TIME, noResponse, type UncheckedLedger } from './unchecked-ledger.ts'

const acme: Tenant = { merchant: 'acme', mode: 'sandbox' }
const HOUR_MS = 3_600_000
/** Less than a checkout needs for a second reading of the credit. */
const NO_TIME_TO_WAIT_MS = 2_400
const onDelivery: Partial<CheckoutIn> = { payment_method: 'CASH_ON_DELIVERY' }

for (const store of stores()) {
  describe(`a checkout with an accounting system that does not check the credit limit, on ${store.name}`, () => {
    let db: Database
    let otherServer: Database
    let clock: number
    let ledger: UncheckedLedger

    beforeEach(async () => {
      db = await store.open()
      otherServer = await openDatabase(store.url())
      clock = Date.parse(LEDGER_TIME)
      useLedger(25)
    })
    afterEach(async () => {
      await otherServer.destroy()
      await store.close()
    })

    function useLedger(limit: number, reservation: CreditReservation | null = { exposureDelaySeconds: 0 }) {
      ledger = createUncheckedLedger(limit, reservation)
    }

    /** Changes the limit, and keeps the orders. */
    function useLimit(limit: number) {
      const { orders, backOffice } = ledger
      useLedger(limit, backOffice.accounting.creditReservation)
      for (const draft of orders.values()) void ledger.placeOrder(draft)
    }

    interface Checkout {
      pieces?: number
      tenant?: Tenant
      server?: Database
      totalMs?: number
      input?: Partial<CheckoutIn>
    }

    /** Orders that many pieces of 10.00 each. */
    async function order({
      pieces = 1,
      tenant = acme,
      server = db,
      totalMs = NO_TIME_TO_WAIT_MS,
      input,
    }: Checkout = {}): Promise<CheckoutOutcome> {
      const key = { ...tenant, customer_id: 'C-1' }
      const cart = await insertCart(db, key, { now: LEDGER_TIME, expiresAt: '2999-01-01T00:00:00.000Z' })
      const line = { line_id: 'a', sku: 'A', name: 'A', quantity: String(pieces), uom: 'each' }
      const lines = JSON.stringify([line])
      await db.updateTable('carts').set({ lines }).where('cart_id', '=', cart.cart_id).execute()
      const now = () => clock
      const context: CustomerCommandContext = {
        commerce: { db: server, now } as CommandDependencies,
        tenant,
        customerId: 'C-1',
        backOffice: ledger.backOffice,
        merchant: { currency: 'JMD' } as MerchantConfig,
        requestScope: createRequestScope({ requestId: 'req-1' }, { totalMs, reserveMs: 0 }, now),
      }
      return checkOut(context, { cart_id: cart.cart_id, fulfillment_method: 'PICKUP', ...input }, async () => {})
    }

    const statusOf = (outcome: CheckoutOutcome) => (outcome.state === 'ordered' ? outcome.record.status : outcome.state)
    const recordOf = (outcome: CheckoutOutcome): OrderRecord => (outcome as { record: OrderRecord }).record
    const settlePending = () =>
      createPendingOrderRetrier({
        commerce: { db, now: () => clock },
        backOfficeFor: () => ({ accounting: { placeOrder: (draft) => ledger.placeOrder(draft) } }),
        intervalMs: null,
      }).runOnce()
    const reservations = async () => {
      const rows = await db.selectFrom('orders').select(['status', 'reserved_credit']).orderBy('status').execute()
      return rows.map(({ status, reserved_credit }) => [status, reserved_credit])
    }
    /** What an order of 10.00 gets while an order of 20.00 takes its credit: 5.00 are left. */
    async function expectCreditTaken() {
      const outcome = await order()
      expect(outcome).to.deep.include({ state: 'over_credit_limit', shortfall: '5', isCashAllowed: true })
      const { credit } = outcome as OverCreditLimit
      expect(credit).to.deep.include({ balance: '0.00', as_of: LEDGER_TIME })
      expect(Number(credit.available_credit)).to.equal(5)
    }

    it('places no more than the credit covers, when two servers take eight orders at once', async () => {
      useLedger(35)
      const allRead = Promise.withResolvers<void>()
      ledger.onCredit = async (number) => {
        if (number === 8) allRead.resolve()
        await allRead.promise
      }
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, i) => order({ server: i % 2 ? db : otherServer, totalMs: 5_000 })),
      )
      const over = outcomes.filter(({ state }) => state === 'over_credit_limit')
      expect(outcomes.map(statusOf).filter((status) => status === 'CONFIRMED')).to.have.length(3)
      expect(over).to.have.length(5)
      for (const outcome of over) expect(outcome).to.include({ shortfall: '5' })
      expect(ledger.orders.size).to.equal(3)
    })

    it('counts an order once, after the credit includes it', async () => {
      expect(statusOf(await order())).to.equal('CONFIRMED')
      expect(statusOf(await order())).to.equal('CONFIRMED')
      expect(await order()).to.deep.include({ state: 'over_credit_limit', shortfall: '5' })
    })

    it('counts an order that was placed after the credit was read', async () => {
      ledger.onCredit = async (number) => {
        if (number === 1) expect(statusOf(await order({ pieces: 2, server: otherServer }))).to.equal('CONFIRMED')
      }
      expect(await order({ pieces: 2 })).to.deep.include({ state: 'over_credit_limit', shortfall: '15' })
      expect(ledger.orders.size).to.equal(1)
    })

    it('reads the credit again when it may have counted an order twice', async () => {
      const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      ledger.onPlaced = async () => {
        arrived.resolve()
        await released.promise
      }
      const first = order()
      await arrived.promise
      ledger.onCredit = async (number) => {
        if (number === 2) released.resolve()
      }
      expect(statusOf(await order({ totalMs: 5_000 }))).to.equal('CONFIRMED')
      expect(statusOf(await first)).to.equal('CONFIRMED')
    })

    it('keeps the credit of an order that was stored and not sent, because its server died', async () => {
      ledger.onOrder = () => Promise.reject(new Error('the process ended'))
      await order({ pieces: 2 }).catch(() => {})
      ledger.onOrder = async () => {}
      await expectCreditTaken()
      expect(ledger.orders.size).to.equal(0)
      clock += 8_000
      await settlePending()
      expect(ledger.orders.size).to.equal(1)
      await expectCreditTaken()
    })

    it('keeps the credit of an order without a response until accounting has placed it', async () => {
      ledger.onPlaced = noResponse
      ledger.includesOrders = false
      expect(statusOf(await order({ pieces: 2 }))).to.equal('PENDING')
      clock += 24 * HOUR_MS
      await expectCreditTaken()
      ledger.onPlaced = async () => {}
      await settlePending()
      ledger.includesOrders = true
      expect(await order()).to.deep.include({ state: 'over_credit_limit', shortfall: '5' })
    })

    it('releases the credit of an order that accounting refuses later', async () => {
      ledger.onOrder = noResponse
      expect(statusOf(await order({ pieces: 2 }))).to.equal('PENDING')
      await expectCreditTaken()
      ledger.onOrder = async () => {}
      ledger.refusal = { state: 'refused', reason: 'ACCOUNT_ON_HOLD', skus: [], available_credit: null }
      clock += 8_000
      await settlePending()
      ledger.refusal = null
      expect(statusOf(await order({ pieces: 2 }))).to.equal('CONFIRMED')
    })

    it('releases the credit of an order that accounting refuses at once', async () => {
      ledger.refusal = { state: 'refused', reason: 'LINE_UNAVAILABLE', skus: ['A'], available_credit: null }
      const problem = await order({ pieces: 2 }).catch((error: unknown) => error)
      expect(problem).to.include({ code: 'line_unavailable' })
      ledger.refusal = null
      expect(statusOf(await order({ pieces: 2 }))).to.equal('CONFIRMED')
    })

    it('releases the credit of an order that could not be sent', async () => {
      ledger.onOrder = () => Promise.reject(new UpstreamError('circuit_open', 'not now'))
      expect((await failureOf(order({ pieces: 2 }))).failure).to.equal('circuit_open')
      ledger.onOrder = async () => {}
      expect(statusOf(await order({ pieces: 2 }))).to.equal('CONFIRMED')
    })

    it('keeps the credit of a placed order for the exposure delay', async () => {
      useLedger(25, { exposureDelaySeconds: 3_600 })
      ledger.includesOrders = false
      expect(statusOf(await order({ pieces: 2 }))).to.equal('CONFIRMED')
      clock += HOUR_MS - 1
      await expectCreditTaken()
      clock += 1
      ledger.includesOrders = true
      useLimit(30)
      expect(statusOf(await order())).to.equal('CONFIRMED')
    })

    it('releases the credit of a placed order that is cancelled', async () => {
      useLedger(25, { exposureDelaySeconds: 3_600 })
      ledger.includesOrders = false
      const placed = recordOf(await order({ pieces: 2 }))
      await expectCreditTaken()
      await markOrderCancelled({ db, now: () => clock }, placed, ledger.cancel(placed.order_id))
      expect(statusOf(await order({ pieces: 2 }))).to.equal('CONFIRMED')
    })

    it('does not count orders of other merchants, modes and customers', async () => {
      ledger.onPlaced = noResponse
      ledger.includesOrders = false
      for (const tenant of [{ ...acme, mode: 'live' } as const, { ...acme, merchant: 'zenith' }])
        expect(statusOf(await order({ pieces: 2, tenant }))).to.equal('PENDING')
      await db.updateTable('orders').set({ customer_id: 'C-2' }).where('tenant_id', '=', 'zenith').execute()
      await db.updateTable('orders').set({ tenant_id: 'acme' }).where('tenant_id', '=', 'zenith').execute()
      expect(statusOf(await order({ pieces: 2 }))).to.equal('PENDING')
    })

    it('clears old reservations with the next order', async () => {
      useLedger(1_000)
      await order()
      await order()
      expect(await reservations()).to.deep.equal([
        ['CONFIRMED', '10.00'],
        ['CONFIRMED', '10.00'],
      ])
      clock += HOUR_MS
      await order()
      expect((await reservations()).map(([, amount]) => amount)).to.have.members([null, null, '10.00'])
    })

    it('limits and reserves orders on delivery, where the limit applies to them', async () => {
      useLedger(25, { exposureDelaySeconds: 0, cashOrders: true })
      ledger.onPlaced = noResponse
      ledger.includesOrders = false
      expect(statusOf(await order({ pieces: 2, input: onDelivery }))).to.equal('PENDING')
      const over = { state: 'over_credit_limit', shortfall: '5', isCashAllowed: false }
      expect(await order({ input: onDelivery })).to.deep.include(over)
      expect(await order()).to.deep.include(over)
      expect(await order({ pieces: 3, input: onDelivery })).to.deep.include(over)
    })

    it('neither limits nor reserves orders on delivery, where the limit does not apply to them', async () => {
      expect(statusOf(await order({ pieces: 9, input: onDelivery }))).to.equal('CONFIRMED')
      expect(ledger.creditReads).to.equal(0)
      expect(await reservations()).to.deep.equal([['CONFIRMED', null]])
    })

    it('reserves nothing where accounting checks the limit itself', async () => {
      useLedger(25, null)
      ledger.includesOrders = false
      for (const _ of [1, 2]) expect(statusOf(await order({ pieces: 2 }))).to.equal('CONFIRMED')
      expect(await reservations()).to.deep.equal([
        ['CONFIRMED', null],
        ['CONFIRMED', null],
      ])
    })

    it('does not decide with a credit that was read more than a minute ago', async () => {
      ledger.onCredit = async () => {
        clock += 60_001
      }
      const failure = await failureOf(order({ totalMs: 120_000 }))
      expect(failure).to.include({ failure: 'timeout' })
      expect(await reservations()).to.deep.equal([])
    })
  })
}
