import { createNotFound } from '../../../errors.ts'
import type { Database } from '../../../storage/database.ts'
import { findEndpoints, type WebhookEndpoint } from '../../../storage/webhooks/subscription-endpoints.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'

/** Other ids are not looked up: PostgreSQL fails on text that it cannot store. */
const SUBSCRIPTION_ID = /^whk_[0-9A-Za-z]{22}$/

/** Finds a subscription of a merchant that pages show. Throws `not_found`. */
export async function requireWebhookSubscription(
  { db, merchants }: { db: Database; merchants: Pick<MerchantDirectory, 'shows'> },
  id: string,
): Promise<WebhookEndpoint> {
  const [subscription] = SUBSCRIPTION_ID.test(id) ? await findEndpoints(db, [id]) : []
  if (!subscription || !merchants.shows(subscription.tenant_id)) throw createNotFound('subscription')
  return subscription
}
