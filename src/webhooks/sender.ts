import { createConnectionPools } from '../egress/connection-pools.ts'
import { createDnsResolver, type HostLookup } from '../egress/dns-resolver.ts'
import { type EndpointRules, findUrlMistake } from '../egress/endpoint-rules.ts'
import { parseRetryAfterMs } from '../egress/retry-after.ts'
import { createSsrfSafeConnector } from '../egress/ssrf-safe-connector.ts'
import { AttemptFailure, classifyAttemptFailure } from './attempt-failure.ts'
import type { AttemptResult, WebhookRequest, WebhookSendFunction } from './delivery-attempt-types.ts'
import { type PostRequest, sendPost } from './http-post.ts'
import { toResponseExcerpt } from './response-excerpt.ts'
import { createSignatureHeaders } from './signature-headers.ts'

export interface WebhookSenderParts {
  rules: EndpointRules
  /** Milliseconds since the epoch. */
  now: () => number
  /** Forecourt's version, for the User-Agent header. */
  version?: string
  /** Resolves hosts that are not on the allowlist. Defaults to the system's name servers. */
  resolve?: HostLookup
  /** Certificate authorities (PEM) that replace the default ones. */
  ca?: string
}

export interface WebhookSender extends AsyncDisposable {
  send: WebhookSendFunction
}

const DEFAULT_TOTAL_MS = 15_000
/** An endpoint cannot postpone its deliveries for longer. */
const MAX_RETRY_AFTER_MS = 3_600_000

/** Sends signed events to endpoints. Redirects are not followed and count as failures. */
export function createWebhookSender({ rules, now, version, resolve, ca }: WebhookSenderParts): WebhookSender {
  const resolver = createDnsResolver()
  const connect = createSsrfSafeConnector({ rules, resolve: resolve ?? resolver.resolve, ...(ca && { ca }) })
  const pools = createConnectionPools(connect)
  const userAgent = version ? `Forecourt/${version}` : 'Forecourt'

  async function attemptPost(request: WebhookRequest, at: number, totalMs: number): Promise<AttemptResponse> {
    if (findUrlMistake(request.url, rules) !== null) throw new AttemptFailure('url_not_allowed')
    const { origin, pathname, search } = new URL(request.url)
    const headers = {
      ...createEventHeaders(request),
      'user-agent': userAgent,
      ...createSignatureHeaders(request, Math.floor(at / 1_000)),
    }
    const post: PostRequest = { path: pathname + search, headers, body: request.body }
    const { status, retryAfter, beginning } = await sendPost(pools.of(origin), post, totalMs)
    return {
      responseStatus: status,
      error: null,
      excerpt: toResponseExcerpt(beginning),
      retryAfterMs:
        status === 429 || status === 503
          ? parseRetryAfterMs(retryAfter, { now: now(), maxMs: MAX_RETRY_AFTER_MS })
          : null,
    }
  }

  return {
    async send(request, { totalMs = DEFAULT_TOTAL_MS } = {}) {
      const at = now()
      const startedAt = performance.now()
      const response = await attemptPost(request, at, totalMs).catch(toFailedResponse)
      return { at: new Date(at).toISOString(), durationMs: Math.round(performance.now() - startedAt), ...response }
    },
    async [Symbol.asyncDispose]() {
      resolver[Symbol.dispose]()
      await pools[Symbol.asyncDispose]()
    },
  }
}

type AttemptResponse = Omit<AttemptResult, 'at' | 'durationMs'>

const toFailedResponse = (error: unknown): AttemptResponse => ({
  responseStatus: null,
  error: classifyAttemptFailure(error),
  excerpt: null,
  retryAfterMs: null,
})

const createEventHeaders = ({ type, deliveryId, attempt, mode }: WebhookRequest) => ({
  'content-type': 'application/json',
  'X-Service-Event': type,
  'X-Service-Delivery': deliveryId,
  'X-Service-Attempt': String(attempt),
  'X-Service-Mode': mode,
})
