import { callTrace } from '../../diagnostics/diagnostics-setup.ts'
import { insertOpenCart } from './insert-carts-and-orders.ts'
import type { OutageConsole } from './outage-console.ts'

/** The store fails for ten seconds: a new cart and a checkout are refused. */
export async function recordStoreOutage({ db, diagnostics, storeState, clock, record }: OutageConsole, reason: string) {
  const at = clock.ms
  const { cart_id: cartId } = await insertOpenCart(db, 'C-9', at)
  storeState.outage = { beganAt: at, reason, isUnreachable: false }
  const refusal = { method: 'POST', status: 503, code: 'store_unavailable', ms: 4 }
  await record(
    [
      { ...refusal, requestId: `cart-${at}`, route: 'createCart', url: '/v1/carts', customerId: 'C-12' },
      {
        ...{
          ...refusal,
          requestId: `checkout-${at}`,
          route: 'checkout',
          url: '/v1/checkout',
          customerId: 'C-9',
          cartId,
        },
        calls: [callTrace({ operation: 'quote', at: at + 4_990 })],
      },
    ],
    5_000,
  )
  return {
    cartId,
    async end() {
      clock.ms += 1_000
      await diagnostics.flush()
      storeState.outage = null
      clock.ms += 1_000
      await diagnostics.flush()
      clock.ms += 6_000
      await diagnostics.flush()
    },
  }
}
