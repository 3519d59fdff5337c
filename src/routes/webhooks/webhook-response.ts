import type { SubscriptionAndSecret } from '../../commands/webhooks/create-subscription.ts'
import type { Delivery } from '../../contract/events/webhook-delivery.ts'
import type { Subscription } from '../../contract/events/webhook-subscription.ts'
import { type ApiResponse, jsonResponse } from '../../http/route.ts'
import type { DeliverySummary } from '../../storage/webhooks/deliveries.ts'
import type { SubscriptionRecord } from '../../storage/webhooks/subscriptions.ts'
import { findPreviousSecretExpiry } from '../../webhooks/signing-secrets.ts'

/** Members are listed one by one, so that no secret gets into a response. */
export function toSubscription(record: SubscriptionRecord, now: number): Subscription {
  const { subscription_id, endpoint_url, event_types, description, status, disabled_reason, disabled_at } = record
  const { secret_hint, consecutive_failures, last_delivery_at, last_success_at, created_at, updated_at } = record
  return {
    subscription_id,
    endpoint_url,
    event_types,
    description,
    status,
    disabled_reason,
    disabled_at,
    secret_hint,
    previous_secret_expires_at: findPreviousSecretExpiry(record, now),
    consecutive_failures,
    last_delivery_at,
    last_success_at,
    created_at,
    updated_at,
  }
}

/** Returns a subscription with its signing secret, which only creation and rotation reveal. */
export function buildSubscriptionSecretResponse(
  { record, secret }: SubscriptionAndSecret,
  now: number,
  status: 200 | 201,
): ApiResponse {
  const headers = status === 201 ? { Location: `/v1/webhooks/${record.subscription_id}` } : undefined
  return jsonResponse({ ...toSubscription(record, now), signing_secret: secret }, status, headers)
}

export function toDelivery(row: DeliverySummary): Delivery {
  const { delivery_id, subscription_id, event_id, event_type, status, cause, attempts, due_at, lease } = row
  const { response_status, created_at, ended_at } = row
  return {
    delivery_id,
    subscription_id,
    event_id,
    event_type: event_type as Delivery['event_type'],
    status,
    cause,
    attempt_count: attempts,
    next_attempt_at: status === 'PENDING' && lease === null ? due_at : null,
    response_status,
    created_at,
    ended_at,
  }
}
