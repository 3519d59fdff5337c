import { createConnectionPools } from '../egress/connection-pools.ts'
import { createDnsResolver, type HostLookup } from '../egress/dns-resolver.ts'
import { type EndpointRules, findUrlMistake } from '../egress/endpoint-rules.ts'
import { parseRetryAfterMs } from '../egress/retry-after.ts'
import { createSsrfSafeConnector } from '../egress/ssrf-safe-connector.ts'
import { AttemptFailure, classifyAttemptFailure } from './attempt-failure.ts'
import { type PostRequest, sendPost } from './http-post.ts'
import { toResponseExcerpt } from './response-excerpt.ts'
import { createSignatureHeaders } from './signature-headers.ts'
import type { AttemptResult, WebhookRequest, WebhookSendFunction } from './webhook-request.ts'

export interface WebhookSenderParts {
  rules: EndpointRules
  /** Milliseconds since the epoch. */
  now: () => number
  /** In the user agent. */
  version?: string
  /** Of hosts that are not on the allowlist; the system's name servers, when it is not said. */
  resolve?: HostLookup
  /** Certificate authorities (PEM), instead of the usual ones. */
  ca?: string
}

export interface WebhookSender extends AsyncDisposable {
  send: WebhookSendFunction
}

const TOTAL_MS = 15_000

/** Sends signed events to endpoints. Redirects are not followed: who answers with one has not taken the event. */
export function createWebhookSender({ rules, now, version, resolve, ca }: WebhookSenderParts): WebhookSender {
  const resolving = createDnsResolver()
  const connect = createSsrfSafeConnector({ rules, resolve: resolve ?? resolving.resolve, ...(ca && { ca }) })
  const origins = createConnectionPools(connect)
  const agent = version ? `Forecourt/${version}` : 'Forecourt'

  async function exchange(parcel: WebhookRequest, at: number, totalMs: number): Promise<Answer> {
    if (findUrlMistake(parcel.url, rules) !== null) throw new AttemptFailure('url_not_allowed')
    const { origin, pathname, search } = new URL(parcel.url)
    const headers = {
      ...headersOf(parcel),
      'user-agent': agent,
      ...createSignatureHeaders(parcel, Math.floor(at / 1_000)),
    }
    const sent: PostRequest = { path: pathname + search, headers, body: parcel.body }
    const { status, retryAfter, beginning } = await sendPost(origins.of(origin), sent, totalMs)
    return {
      ...{ responseStatus: status, error: null, excerpt: toResponseExcerpt(beginning) },
      retryAfterMs: parseRetryAfterMs(status, retryAfter, now()),
    }
  }

  return {
    async send(parcel, { totalMs = TOTAL_MS } = {}) {
      const at = now()
      const began = performance.now()
      const answer = await exchange(parcel, at, totalMs).catch(unanswered)
      return { at: new Date(at).toISOString(), durationMs: Math.round(performance.now() - began), ...answer }
    },
    async [Symbol.asyncDispose]() {
      resolving[Symbol.dispose]()
      await origins[Symbol.asyncDispose]()
    },
  }
}

type Answer = Omit<AttemptResult, 'at' | 'durationMs'>

const unanswered = (error: unknown): Answer => ({
  ...{ responseStatus: null, error: classifyAttemptFailure(error), excerpt: null, retryAfterMs: null },
})

const headersOf = ({ type, deliveryId, attempt, mode }: WebhookRequest) => ({
  'content-type': 'application/json',
  'X-Service-Event': type,
  'X-Service-Delivery': deliveryId,
  'X-Service-Attempt': String(attempt),
  'X-Service-Mode': mode,
})
