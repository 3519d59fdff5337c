import Type from 'typebox'
import type { Route } from '../../http/route.ts'

export const WebhookParams = Type.Object({ subscription_id: Type.String() })
export const DeliveryParams = Type.Object({ ...WebhookParams.properties, delivery_id: Type.String() })

/** The common settings of the webhook routes: none of them calls a back office. */
export const webhookRouteDefaults = {
  tag: 'Webhooks',
  scope: 'storefront:webhooks',
  caching: 'none',
  readsStoreOnly: true,
} as const satisfies Partial<Route>
