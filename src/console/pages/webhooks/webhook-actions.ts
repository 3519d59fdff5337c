import type { ActionThrottle } from '../../../commands/action-throttle.ts'
import { changeSubscription } from '../../../commands/webhooks/change-subscription.ts'
import { type RecoveryResult, recoverDeliveries } from '../../../commands/webhooks/recover-deliveries.ts'
import { redeliver } from '../../../commands/webhooks/redeliver.ts'
import type { EndpointRules } from '../../../egress/endpoint-rules.ts'
import { tenantOf } from '../../../storage/tenant-columns.ts'
import { type AuditedActionParts, createAuditedAction } from '../../audited-action.ts'
import type { ConsolePage, ConsoleRequest } from '../../console-page.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { formatCount } from '../../text/format-numbers.ts'
import { requireWebhookSubscription } from './require-webhook-subscription.ts'

export interface WebhookActionsParts extends AuditedActionParts {
  endpointRules: EndpointRules
  throttle: ActionThrottle
  merchants: MerchantDirectory
}

const toEndpointPath = ({ params }: ConsoleRequest) => `/webhooks/${params.id}`

/** Creates the actions that enable and disable an endpoint, that redeliver an event, and that send all missed events. */
export const createWebhookActions = (parts: WebhookActionsParts): ConsolePage[] => [
  createStatusAction(
    parts,
    'enable',
    'The endpoint is enabled and receives new and waiting events. Missed events can be sent again below.',
  ),
  createStatusAction(
    parts,
    'disable',
    'The endpoint is disabled. No events are sent to it, and its pending deliveries are cancelled.',
  ),
  createRedeliverAction(parts),
  createRecoverAction(parts),
]

function createStatusAction(parts: WebhookActionsParts, verb: 'enable' | 'disable', message: string): ConsolePage {
  const { db, endpointRules, now } = parts
  return createAuditedAction(parts, {
    path: `/webhooks/:id/${verb}`,
    action: `webhook.${verb}`,
    readTarget: ({ params }) => ({ subscription: params.id }),
    failurePath: toEndpointPath,
    async run(request) {
      const subscription = await requireWebhookSubscription(parts, request.params.id!)
      const status = verb === 'enable' ? 'ACTIVE' : 'DISABLED'
      const { subscription_id } = subscription
      await changeSubscription({ db, endpointRules, now }, tenantOf(subscription), subscription_id, { status })
      return { redirect: toEndpointPath(request), message }
    },
  })
}

function createRedeliverAction(parts: WebhookActionsParts): ConsolePage {
  const { db, now, throttle } = parts
  return createAuditedAction(parts, {
    path: '/webhooks/:id/deliveries/:delivery/redeliver',
    action: 'webhook.redeliver',
    readTarget: ({ params }) => ({ subscription: params.id, delivery: params.delivery }),
    failurePath: toEndpointPath,
    async run({ params }) {
      const subscription = await requireWebhookSubscription(parts, params.id!)
      const { subscription_id } = subscription
      const key = { subscriptionId: subscription_id, deliveryId: params.delivery! }
      const created = await redeliver({ db, now, throttle }, tenantOf(subscription), key, null)
      const redirect = `/webhooks/${subscription_id}/deliveries/${created.delivery_id}`
      return { redirect, message: 'The event is sent again. This is the new delivery.' }
    },
  })
}

function createRecoverAction(parts: WebhookActionsParts): ConsolePage {
  const { db, now, throttle } = parts
  return createAuditedAction(parts, {
    path: '/webhooks/:id/recover',
    action: 'webhook.recover',
    readTarget: ({ params }) => ({ subscription: params.id }),
    failurePath: toEndpointPath,
    async run(request) {
      const subscription = await requireWebhookSubscription(parts, request.params.id!)
      const { subscription_id, created_at } = subscription
      const range = { since: created_at, until: undefined }
      const result = await recoverDeliveries({ db, now, throttle }, tenantOf(subscription), subscription_id, range)
      return { redirect: toEndpointPath(request), message: describeRecovery(result) }
    },
  })
}

function describeRecovery({ scheduled, brought_forward, has_more }: RecoveryResult): string {
  // Events may still wait: they are due, held or being sent.
  if (scheduled + brought_forward === 0)
    return 'Nothing was changed: the endpoint has missed no other events, and no waiting event can be sent sooner.'
  const again = formatCount(scheduled, 'missed event is sent again', 'missed events are sent again')
  const sooner = formatCount(brought_forward, 'waiting event is sent now', 'waiting events are sent now')
  return `${again}, and ${sooner}.${has_more ? ' There are more: do this again when these are delivered.' : ''}`
}
