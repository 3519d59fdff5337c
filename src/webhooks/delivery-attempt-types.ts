import type { AttemptErrorCode } from '../contract/events/webhook-delivery.ts'
import type { Mode } from '../tenant.ts'

/** The content of one delivery attempt. */
export interface WebhookRequest {
  url: string
  deliveryId: string
  eventId: string
  type: string
  mode: Mode
  /** From 1. */
  attempt: number
  /** The exact bytes that are signed and sent. */
  body: Buffer
  /** `whsec_…`: the current secret and, during a rotation, the previous one. */
  secrets: readonly [string] | readonly [string, string]
}

/** The result of one attempt. */
export interface AttemptResult {
  /** The start of the attempt. RFC 3339, UTC. */
  at: string
  durationMs: number
  responseStatus: number | null
  error: AttemptErrorCode | null
  /** The first KiB of the response, as printable text. */
  excerpt: string | null
  /** The delay that the endpoint asked for with Retry-After. */
  retryAfterMs: number | null
}

/** Makes one attempt. Never rejects. `totalMs` defaults to 15,000. */
export type WebhookSendFunction = (request: WebhookRequest, limits?: { totalMs?: number }) => Promise<AttemptResult>

/** Returns whether the endpoint responded with 2xx. */
export const isDelivered = ({ responseStatus }: Pick<AttemptResult, 'responseStatus'>) =>
  responseStatus !== null && responseStatus >= 200 && responseStatus < 300
