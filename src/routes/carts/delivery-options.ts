import Type from 'typebox'
import { readShippingAddress } from '../../commands/addresses/find-shipping-address.ts'
import { assertCartEditable } from '../../commands/carts/assert-cart-editable.ts'
import { requireCart } from '../../commands/carts/find-cart.ts'
import { readLivePricing } from '../../commands/carts/live-pricing.ts'
import { readDeliveryOptions } from '../../commands/carts/read-delivery-options.ts'
import type { CustomerCommandContext } from '../../commands/command-context.ts'
import { DeliveryOptionList } from '../../contract/cart/delivery.ts'
import { toDeliveryOptionView } from '../../contract/cart/delivery-mapping.ts'
import { ShippingAddressId } from '../../contract/shoppers/address.ts'
import { UpstreamError } from '../../errors.ts'
import { defineRoute } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { optional, valueSection } from '../../sections/section.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { CartParams, cartProblemMembers, cartRouteDefaults } from './cart-route-defaults.ts'

export const listDeliveryOptionsRoute = defineRoute({
  ...cartRouteDefaults,
  method: 'GET',
  path: '/v1/carts/:cart_id/delivery-options',
  operationId: 'listDeliveryOptions',
  summary: 'List the deliveries and pickup places that the accounting system offers for a cart, with their prices',
  input: {
    params: CartParams,
    query: Type.Object({ shipping_address_id: Type.Optional(ShippingAddressId) }),
  },
  response: DeliveryOptionList,
  problems: ['cart_converted', 'cart_expired'],
  problemMembers: cartProblemMembers,
  sections: { required: ['cart'], optional: ['delivery_options'] },
  async handle(request) {
    const { params, query, commerce, requestScope } = request
    const context = toCustomerCommandContext(request)
    const cart = await requireCart(context, params.cart_id)
    assertCartEditable(cart, commerce.now())
    const options = loadOptions(context, cart, query.shipping_address_id)
    const { values, errors, traces } = await fanOut(requestScope, {
      delivery_options: optional(options.then(valueSection)),
    })
    return { body: { cart_id: cart.cart_id, delivery_options: values.delivery_options, errors }, errors, traces }
  },
})

type OptionViews = ReturnType<typeof toDeliveryOptionView>[]

/** Prices the cart for its options. Only mistakes of the request reject. */
async function loadOptions(
  context: CustomerCommandContext,
  cart: CartRecord,
  shipping_address_id: string | undefined,
): Promise<LoadResult<OptionViews>> {
  const { backOffice, requestScope, merchant, commerce } = context
  const asOf = commerce.now()
  if (!backOffice.accounting.hasDeliveryOptions) return { value: [], error: null, asOf }
  const live = { requestScope, priority: 'cart' as const }
  try {
    const [pricing, address] = await Promise.all([
      readLivePricing(context, cart, live),
      readShippingAddress(context, { shipping_address_id }, 'query'),
    ])
    const options = await readDeliveryOptions(context, pricing, address, live)
    const isTaxIncluded = pricing.totals?.tax_included ?? false
    const value = options.map((option) => toDeliveryOptionView(option, merchant.currency, isTaxIncluded))
    return { value, error: null, asOf, system: 'accounting' }
  } catch (error) {
    if (error instanceof UpstreamError) return { value: null, error, asOf }
    throw error
  }
}
