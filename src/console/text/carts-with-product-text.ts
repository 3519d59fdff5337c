import type { CartRecord } from '../../storage/commerce/carts.ts'
import type { OpenCartsWithProduct } from '../../storage/commerce/operator-cart-queries.ts'
import { findLastPriceInCart, type LastPriceInCart } from '../find-last-price-in-cart.ts'
import { readCartTotals, toCartTotal } from '../stored-cart-totals.ts'
import { sumAmounts } from '../sum-amounts.ts'
import { formatMoney } from './format-money.ts'
import { formatCount, formatNumber } from './format-numbers.ts'
import type { DisplayTime } from './format-times.ts'

/** What is missing of a product for shoppers who are not signed in. A price or a tax may be another one for a customer. */
export interface MissingProductPart {
  sku: string
  /** Customers may have it nevertheless. */
  dependsOnCustomer: boolean
}

/** The recorded checkouts that were refused because of a product. Times are in milliseconds since the epoch. */
export interface RefusedCheckoutsOfProduct {
  count: number
  /** True if the limit was reached, so there may be more. */
  isLimited: boolean
  customers: number
  firstAt: number
  lastAt: number
}

/** Says how many open carts hold a product that lacks something, what they were worth, and what becomes of their checkout. */
export function describeOpenCarts(
  { carts, areOthersUnknown }: OpenCartsWithProduct,
  { sku, dependsOnCustomer }: MissingProductPart,
  currency: string,
  refused: string,
): string {
  const others = areOthersUnknown ? ' Not all open carts were searched: there may be more.' : ''
  if (carts.length === 0) return `Open carts that hold this product: none found.${others} ${refused}`
  const checkouts = dependsOnCustomer
    ? describeCustomerCheckouts(carts, sku)
    : 'Their checkout is refused as long as it cannot be ordered.'
  return `Open carts that hold this product: ${formatNumber(carts.length)} (${describeWorth(carts, currency)}). ${checkouts} ${refused} Nothing is lost: the carts are kept.${others}`
}

/** Describes the recorded checkouts that were refused for a product. */
export function describeRefusedCheckouts(
  refused: RefusedCheckoutsOfProduct | null,
  toTime: (at: number) => DisplayTime,
): string {
  if (refused === null) return 'No checkout that was refused for it is recorded.'
  const { count, isLimited, customers, firstAt, lastAt } = refused
  const [first, last] = [firstAt, lastAt].map((at) => toTime(at).text)
  const times = first === last ? `at ${first}` : `the first at ${first}, the last at ${last}`
  return `Recorded checkouts that were refused for it: ${isLimited ? 'at least ' : ''}${formatNumber(count)}, of ${formatCount(customers, 'customer')}, ${times}.`
}

function describeWorth(carts: readonly CartRecord[], currency: string): string {
  const priced = carts.filter((cart) => readCartTotals(cart) !== null)
  const total = formatMoney(sumAmounts(priced.map(toCartTotal)).toFixed(2), currency)
  const unpriced = carts.length - priced.length
  return [
    ...(priced.length > 0 ? [`${formatCount(priced.length, 'cart')} of ${total} in total when last priced`] : []),
    ...(unpriced > 0 ? [`${formatCount(unpriced, 'cart')} without a total`] : []),
  ].join(', ')
}

function describeCustomerCheckouts(carts: readonly CartRecord[], sku: string): string {
  const count = (state: LastPriceInCart['state']) =>
    carts.filter((cart) => findLastPriceInCart(cart, sku).state === state).length
  const [priced, unpriced, unknown] = [count('priced'), count('unpriced'), count('unknown')]
  return [
    'They belong to customers, who may have a price and a tax of their own:',
    [
      ...(priced > 0 ? [`${formatCount(priced, 'cart')} had both for this product when last priced`] : []),
      ...(unpriced > 0
        ? [
            `${formatCount(unpriced, 'cart')} lacked one of them when last priced, and cannot be ordered until it is set`,
          ]
        : []),
      ...(unknown > 0
        ? [
            `of ${formatCount(unknown, 'cart')} it is not known, because the last total, if there is one, does not include this product`,
          ]
        : []),
    ].join('; '),
  ]
    .join(' ')
    .concat('. Each checkout asks again for its customer, and is refused only if the price or the tax is missing then.')
}

/** Says what the last pricing of a cart had for a product. */
export function describeProductInCart(
  cart: CartRecord,
  { sku, dependsOnCustomer }: MissingProductPart,
  currency: string,
  toTime: (at: string) => DisplayTime,
): string {
  if (!dependsOnCustomer) return ''
  const found = findLastPriceInCart(cart, sku)
  if (found.state === 'unknown')
    return readCartTotals(cart) === null
      ? 'without a total'
      : `its last total of ${formatMoney(toCartTotal(cart).toFixed(2), currency)} does not include this product`
  const at = toTime(found.at).text
  return found.state === 'priced'
    ? `priced with this product at ${formatMoney(found.unitPrice, currency)} per ${found.uom} at ${at}, for this customer; the checkout asks again`
    : `without a price or a tax of this product at ${at}, for this customer too; the checkout is refused until it is set`
}
