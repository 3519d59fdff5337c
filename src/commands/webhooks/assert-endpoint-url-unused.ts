import { Problem } from '../../errors.ts'
import type { SubscriptionRecord } from '../../storage/webhooks/subscriptions.ts'

/** Throws `subscription_exists` if a subscription has this URL. */
export function assertEndpointUrlUnused(existing: readonly SubscriptionRecord[], url: string): void {
  const duplicate = existing.find(({ endpoint_url }) => endpoint_url === url)
  if (duplicate)
    throw new Problem('subscription_exists', undefined, { members: { subscription_id: duplicate.subscription_id } })
}
