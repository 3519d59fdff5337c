import type { Mode } from '../config/config.ts'

/** What is sent in one attempt. */
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
  /** `whsec_…`: the one that signs, then, during a rotation, the one before. */
  secrets: readonly [string] | readonly [string, string]
}

/** Why there was no answer: nothing of the endpoint's own words. */
export type AttemptErrorCode =
  | 'timeout'
  | 'refused'
  | 'dns'
  | 'tls'
  | 'reset'
  | 'url_not_allowed'
  | 'invalid_response'
  | 'secret_unreadable'

/** What came of it. */
export interface AttemptResult {
  /** RFC 3339, UTC: when it began. */
  at: string
  durationMs: number
  responseStatus: number | null
  error: AttemptErrorCode | null
  /** The first KiB of the answer, printable. */
  excerpt: string | null
  /** When the endpoint asks to be left alone for a while. */
  retryAfterMs: number | null
}

/** Never rejects. `totalMs`: 15,000 when it is not said. */
export type WebhookSendFunction = (parcel: WebhookRequest, limits?: { totalMs?: number }) => Promise<AttemptResult>

/** Only 2xx is a success. */
export const isDelivered = ({ responseStatus }: Pick<AttemptResult, 'responseStatus'>) =>
  responseStatus !== null && responseStatus >= 200 && responseStatus < 300
