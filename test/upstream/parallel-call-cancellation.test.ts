import { once } from 'node:events'
import { expect } from 'chai'
import type { CommandDependencies, CustomerCommandContext } from '../../src/commands/command-context.ts'
import { checkOut } from '../../src/commands/orders/check-out.ts'
import type { MerchantConfig } from '../../src/config/merchant-config.ts'
import { UpstreamError } from '../../src/errors.ts'
import { insertCart } from '../../src/storage/commerce/carts.ts'
import type { BackOffice } from '../../src/upstream/back-office.ts'
import type { LiveCallOptions } from '../../src/upstream/readers/run-live-call.ts'
import { createRequestScope } from '../../src/upstream/request/request-scope.ts'
import { cartShopper } from '../routes/carts/cart-shopper-client.ts'
import { startApi } from '../support/api.ts'
import { hang, respondJson, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { stores } from '../support/stores.ts'

const at = '2026-01-01T00:00:00.000Z'
/** Past all patience: what is let go of in time was not let go of by the clock. */
const NEVER_MS = 3_600_000

/**
 * Several systems are asked at once, and one refuses: the answer is given then. The questions to the others are to be given up with it.
 * Left in line, those of a client that tries again and again fill every place there, and nobody is served for as long as it tries.
 */
describe('a request that one system has refused', () => {
  it('leaves the queues of the others in a checkout', async () => {
    const [store] = stores()
    const db = await store!.open()
    try {
      const customer = { merchant: 'acme', mode: 'sandbox' as const, customer_id: 'C-1' }
      const cart = await insertCart(db, customer, { now: at, expiresAt: '2999-01-01T00:00:00.000Z' })
      const line = { line_id: 'a', sku: 'A', name: 'A', quantity: '1', uom: 'each' }
      await db
        .updateTable('carts')
        .set({ lines: JSON.stringify([line]) } as never)
        .where('cart_id', '=', cart.cart_id)
        .execute()
      const asked: string[] = []
      const left: string[] = []
      /** A question that has no answer until it is left. */
      const open = (what: string, { requestScope }: LiveCallOptions) =>
        new Promise<never>((_, reject) => {
          asked.push(what)
          requestScope.onLeave(() => {
            left.push(what)
            reject(new UpstreamError('aborted', 'nobody waits any longer'))
          })
        })
      const backOffice = {
        today: () => '2026-01-01',
        quoteNow: (_: unknown, live: LiveCallOptions) => open('quote', live),
        taxesNow: (_: unknown, __: unknown, live: LiveCallOptions) => open('taxes', live),
        itemsNow: async () => {
          throw new UpstreamError('overloaded', 'line full', { system: 'inventory' })
        },
        accounting: {
          customerNow: (_: unknown, live: LiveCallOptions) => open('customer', live),
          creditNow: (_: unknown, live: LiveCallOptions) => open('credit', live),
        },
      } as unknown as BackOffice
      const now = () => Date.parse(at)
      const place: CustomerCommandContext = {
        ...{
          commerce: { db, now } as CommandDependencies,
          tenant: { merchant: 'acme', mode: 'sandbox' },
          customerId: 'C-1',
          backOffice,
        },
        merchant: { currency: 'JMD' } as MerchantConfig,
        requestScope: createRequestScope({ requestId: 'req-1' }, { totalMs: NEVER_MS, reserveMs: 0 }, now),
      }
      const input = { cart_id: cart.cart_id, fulfillment_method: 'PICKUP' } as const
      const outcome = await checkOut(place, input, async () => {}).catch((error: UpstreamError) => error)
      expect(outcome).to.include({ failure: 'overloaded', system: 'inventory' })
      expect(asked).to.have.members(['quote', 'taxes', 'customer', 'credit'])
      expect(left).to.have.members(asked)
    } finally {
      await store!.close()
    }
  })

  it('leaves the queues of the others when its answer has failed', async () => {
    await using pricing = await startScriptedUpstream(hang)
    await using ledger = await startScriptedUpstream(respondJson({}, 500))
    const limits = { timeoutMs: NEVER_MS }
    await using api = await startApi({
      deadlineMs: NEVER_MS,
      merchants: (of) => {
        const { inventory, ...others } = of('acme', limits)
        const sandbox = {
          inventory: inventory!,
          pricing: { ...others.pricing!, address: pricing.address },
          accounting: { ...others.accounting!, address: ledger.address },
        }
        return [{ merchant: 'strict', live: of('acme-live'), sandbox }]
      },
    })
    const shopper = await cartShopper(api, { merchant: 'strict' })
    const { cart_id } = await shopper.read('POST', '/v1/carts')
    const line = { line_id: 'a', sku: 'A', name: 'A', quantity: '1', uom: 'each' }
    await api.db
      .updateTable('carts')
      .set({ lines: JSON.stringify([line]) } as never)
      .where('cart_id', '=', cart_id)
      .execute()
    const cut = new Promise((resolve) => {
      pricing.script = (response) => void once(response, 'close').then(resolve)
      ledger.script = async (...call) => {
        while (pricing.pending === 0) await new Promise((resolve) => setTimeout(resolve, 5))
        respondJson({}, 500)(...call)
      }
    })
    const { status, text } = await shopper.ask('POST', `/v1/carts/${cart_id}/price`)
    expect(status, text).to.be.at.least(500)
    await cut
  })
})
