import type { Address } from '../../ports/customer.ts'
import type { DeliveryOption } from '../../ports/delivery.ts'
import type { LiveCallOptions } from '../../upstream/readers/run-live-call.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import type { LivePricing } from './live-pricing.ts'

/** Calls accounting for the delivery options of a priced cart; empty for a cart whose total is not known. Rejects with UpstreamError. */
export async function readDeliveryOptions(
  { backOffice, customerId }: CustomerCommandContext,
  { lines, totals, promotions }: LivePricing,
  shippingAddress: Address | null,
  live: LiveCallOptions,
): Promise<DeliveryOption[]> {
  if (!totals || lines.length === 0) return []
  const query = {
    customerId,
    lines: lines.map(({ sku, quantity }) => ({ sku, quantity })),
    goods_total: totals.total,
    tax_included: totals.tax_included,
    codes: promotions.filter(({ status }) => status === 'APPLIED').map(({ code }) => code),
    shipping_address: shippingAddress,
  }
  return backOffice.accounting.deliveryOptionsNow(query, live)
}
