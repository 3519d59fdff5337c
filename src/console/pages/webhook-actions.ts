import { changeSubscription } from '../../commands/webhooks/change-subscription.ts'
import { redeliver } from '../../commands/webhooks/recover-deliveries.ts'
import { type AuditedActionParts, createAuditedAction } from '../audited-action.ts'
import type { ConsolePage, ConsoleRequest } from '../console-page.ts'
import type { ConsolePagesParts } from '../page-list.ts'
import { requireWebhookSubscription } from './webhook-page-view.ts'

const here = ({ params }: ConsoleRequest) => `/webhooks/${params.id}`

/** What an operator may do about an endpoint. */
export function createWebhookActions(
  seen: AuditedActionParts & Pick<ConsolePagesParts, 'endpoints' | 'throttle'>,
): ConsolePage[] {
  const { db, endpoints, throttle, now } = seen

  const turning = (call: 'enable' | 'disable', status: 'ACTIVE' | 'DISABLED', notice: string) =>
    createAuditedAction(seen, {
      path: `/webhooks/:id/${call}`,
      action: `webhook.${call}`,
      target: ({ params }) => ({ subscription: params.id }),
      back: here,
      async act(visit) {
        const { subscription_id, tenant_id, mode } = await requireWebhookSubscription(db, visit.params.id!)
        await changeSubscription({ db, endpoints, now }, { tenant_id, mode }, subscription_id, { status })
        return { redirect: here(visit), notice }
      },
    })

  const again = createAuditedAction(seen, {
    path: '/webhooks/:id/deliveries/:delivery/redeliver',
    action: 'webhook.redeliver',
    target: ({ params }) => ({ subscription: params.id, delivery: params.delivery }),
    back: here,
    async act({ params }) {
      const { subscription_id, tenant_id, mode } = await requireWebhookSubscription(db, params.id!)
      const of = { subscriptionId: subscription_id, deliveryId: params.delivery! }
      const made = await redeliver({ db, now, throttle }, { tenant_id, mode }, of, null)
      const redirect = `/webhooks/${subscription_id}/deliveries/${made.delivery_id}`
      return { redirect, notice: 'It is sent once more: this is the new delivery.' }
    },
  })

  return [
    turning('enable', 'ACTIVE', 'It is enabled: new events are sent. What it missed can be recovered by its owner.'),
    turning('disable', 'DISABLED', 'It is disabled: nothing is sent any more, and what was waiting is cancelled.'),
    again,
  ]
}
