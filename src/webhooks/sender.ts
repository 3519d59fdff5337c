import { createConnector } from '../egress/ssrf-safe-connector.ts'
import { type EndpointRules, urlMistake } from '../egress/endpoint-rules.ts'
import { createOrigins } from '../egress/connection-pools.ts'
import { createResolving, type Resolve } from '../egress/dns-resolver.ts'
import { answerExcerpt } from './response-excerpt.ts'
import { AttemptFailure, failureOf } from './attempt-failure.ts'
import type { Attempted, Parcel, Send } from './webhook-request.ts'
import { type Post, post } from './http-post.ts'
import { retryAfterMs } from '../egress/retry-after.ts'
import { signatureHeaders } from './signature-headers.ts'

export interface SenderParts {
  rules: EndpointRules
  /** Milliseconds since the epoch. */
  now: () => number
  /** In the user agent. */
  version?: string
  /** Of hosts that are not on the allowlist; the system's name servers, when it is not said. */
  resolve?: Resolve
  /** Certificate authorities (PEM), instead of the usual ones. */
  ca?: string
}

export interface Sender extends AsyncDisposable {
  send: Send
}

const TOTAL_MS = 15_000

/** Sends signed events to endpoints. Redirects are not followed: who answers with one has not taken the event. */
export function createSender({ rules, now, version, resolve, ca }: SenderParts): Sender {
  const resolving = createResolving()
  const connect = createConnector({ rules, resolve: resolve ?? resolving.resolve, ...(ca && { ca }) })
  const origins = createOrigins(connect)
  const agent = version ? `Forecourt/${version}` : 'Forecourt'

  async function exchange(parcel: Parcel, at: number, totalMs: number): Promise<Answer> {
    if (urlMistake(parcel.url, rules) !== null) throw new AttemptFailure('url_not_allowed')
    const { origin, pathname, search } = new URL(parcel.url)
    const headers = { ...headersOf(parcel), 'user-agent': agent, ...signatureHeaders(parcel, Math.floor(at / 1_000)) }
    const sent: Post = { path: pathname + search, headers, body: parcel.body }
    const { status, retryAfter, beginning } = await post(origins.of(origin), sent, totalMs)
    return {
      ...{ responseStatus: status, error: null, excerpt: answerExcerpt(beginning) },
      retryAfterMs: retryAfterMs(status, retryAfter, now()),
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

type Answer = Omit<Attempted, 'at' | 'durationMs'>

const unanswered = (error: unknown): Answer => ({
  ...{ responseStatus: null, error: failureOf(error), excerpt: null, retryAfterMs: null },
})

const headersOf = ({ type, deliveryId, attempt, mode }: Parcel) => ({
  'content-type': 'application/json',
  'X-Service-Event': type,
  'X-Service-Delivery': deliveryId,
  'X-Service-Attempt': String(attempt),
  'X-Service-Mode': mode,
})
