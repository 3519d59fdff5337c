import type { OpenCartsWithProduct } from '../../storage/commerce/operator-cart-queries.ts'
import { readCartTotals, sumAmounts, toCartTotal } from '../cart-totals.ts'
import { formatMoney } from './format-money.ts'
import { formatCount, formatNumber } from './format-numbers.ts'

/** Says how many open carts hold a product that cannot be ordered, what they were worth, and what becomes of them. */
export function describeOpenCarts({ carts, areOthersUnknown }: OpenCartsWithProduct, currency: string): string {
  const others = areOthersUnknown ? ' Not all open carts were searched: there may be more.' : ''
  if (carts.length === 0) return `Open carts that hold this product: none found.${others}`
  const priced = carts.filter((cart) => readCartTotals(cart) !== null)
  const total = formatMoney(sumAmounts(priced.map(toCartTotal)).toFixed(2), currency)
  const unpriced = carts.length - priced.length
  const worth = [
    ...(priced.length > 0 ? [`${formatCount(priced.length, 'cart')} of ${total} in total when last priced`] : []),
    ...(unpriced > 0 ? [`${formatCount(unpriced, 'cart')} without a total`] : []),
  ]
  return `Open carts that hold this product: ${formatNumber(carts.length)} (${worth.join(', ')}). Their checkout is refused as long as it cannot be ordered. Nothing is lost: the carts are kept.${others}`
}
