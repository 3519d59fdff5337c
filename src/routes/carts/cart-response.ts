import type { AddedLine } from '../../commands/carts/add-lines.ts'
import type { FilledCart } from '../../commands/carts/fill-cart.ts'
import { findCurrentPricing, type StoredCredit } from '../../commands/carts/stored-cart-pricing.ts'
import type { CartLineResult } from '../../contract/cart/add-cart-lines.ts'
import type { Cart } from '../../contract/cart/cart.ts'
import type { ApiRequest, ApiResponse } from '../../http/route.ts'
import type { Credit } from '../../ports/accounting.ts'
import type { QuotedPromotion } from '../../ports/pricing.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { columnSection, optional, valueSection } from '../../sections/section.ts'
import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import { toCartView } from './cart-view.ts'

type CartRequest = Pick<ApiRequest, 'backOffice' | 'requestScope' | 'merchant' | 'commerce' | 'customerId'>

/** Returns a cart with its sections. These are usually cached, so that a cart costs one read of the store. */
export async function buildCartResponse(
  { backOffice, requestScope, merchant, commerce, customerId }: CartRequest,
  cart: CartRecord,
  { refused = null, credit }: { refused?: QuotedPromotion | null; credit?: LoadResult<Credit> } = {},
): Promise<ApiResponse> {
  const skus = cart.lines.map(({ sku }) => sku)
  const products = backOffice.products(skus, requestScope, { forCart: true })
  const now = commerce.now()
  const pricing = findCurrentPricing(cart, now)
  const stored: LoadResult<StoredCredit> = { value: pricing?.credit ?? null, error: null, asOf: now }
  const preview =
    !pricing?.totals || stored.value ? stored : (credit ?? backOffice.accounting.credit(customerId!, requestScope))
  const { values, errors, traces } = await fanOut(requestScope, {
    lines: optional(products.then(columnSection)),
    availability: optional(backOffice.availability(skus, requestScope, { forCart: true }).then(columnSection)),
    credit: optional(Promise.resolve<LoadResult<StoredCredit>>(preview).then(valueSection)),
  })
  const found = (await products).map(({ value, error }) => (value === null && error ? undefined : value))
  const sections = { products: found, bands: values.availability, credit: values.credit, refused }
  return { body: { ...toCartView(cart, sections, merchant.currency, now), errors }, errors, traces }
}

/** Returns a cart with the result of each line that was to be added at once. */
export async function buildFilledCartResponse(request: CartRequest, { cart, added }: FilledCart): Promise<ApiResponse> {
  const { body, ...response } = await buildCartResponse(request, cart)
  return { ...response, body: { ...(body as Cart), results: added.map(toLineResult) } }
}

const toLineResult = ({ sku, line_id, errors }: AddedLine, index: number): CartLineResult => ({
  index,
  sku,
  status: line_id === null ? 'REFUSED' : 'ADDED',
  line_id,
  errors,
})
