import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { EventEnvelope } from '../../contract/events/event-envelope.ts'
import { findSignatureMistake } from './find-signature-mistake.ts'
import { formatEvent, formatEventLine } from './format-event.ts'
import { forwardEvent } from './forward-event.ts'

export interface EventReceiverParts {
  /** The status to respond with; `null`: 204. */
  fail: number | null
  /** The URL that verified events are forwarded to. */
  forward: string | null
  forwardTimeoutMs?: number
  /** Milliseconds since the epoch. */
  now: () => number
  print(text: string): void
  /** Notified of a response of 410, which disables the subscription. */
  onGone?: () => void
}

export interface EventReceiver {
  handler: RequestListener
  /** Sets the secret that deliveries must be signed with from now on. */
  setSecret(secret: string): void
}

const NO_CONTENT = 204
const GONE = 410
/** Shorter than the timeout of a delivery. */
const FORWARD_TIMEOUT_MS = 13_000
const MAX_BODY_BYTES = 4 * 1_048_576
const MAX_REMEMBERED_IDS = 10_000

/** Receives deliveries as a merchant's receiver should: it verifies the signature of the raw bytes first, and drops duplicates by id. */
export function createEventReceiver(parts: EventReceiverParts): EventReceiver {
  const { fail, forward, forwardTimeoutMs = FORWARD_TIMEOUT_MS, now, print, onGone } = parts
  const receivedIds = new Set<string>()
  let secret: string | null = null

  async function receive(request: IncomingMessage): Promise<number> {
    if (request.method !== 'POST') return 405
    if (secret === null) return 503
    const body = await readBody(request)
    if (!body) return 413
    const mistake = findSignatureMistake(request.headers, body, secret, now())
    if (mistake) {
      print(formatEventLine(now(), [request.headers['x-service-event'], 'REJECTED', mistake]))
      return 401
    }
    const event = JSON.parse(body.toString()) as EventEnvelope
    if (receivedIds.has(event.id)) {
      print(formatEvent(event, request.headers, now(), 'VERIFIED, DUPLICATE: dropped'))
      return NO_CONTENT
    }
    const { status, description } =
      fail === null && forward !== null
        ? await forwardEvent({ url: forward, headers: request.headers, body, timeoutMs: forwardTimeoutMs })
        : { status: fail ?? NO_CONTENT, description: `responded ${fail}` }
    const isAccepted = status >= 200 && status < 300
    print(formatEvent(event, request.headers, now(), isAccepted ? 'VERIFIED' : `VERIFIED, ${description}`))
    if (isAccepted) remember(event.id)
    if (status === GONE) onGone?.()
    return status
  }

  function remember(id: string): void {
    receivedIds.add(id)
    if (receivedIds.size > MAX_REMEMBERED_IDS) receivedIds.delete(receivedIds.values().next().value!)
  }

  return {
    handler: (request, response) => void respond(response, receive(request)),
    setSecret(next) {
      secret = next
    },
  }
}

async function respond(response: ServerResponse, status: Promise<number>): Promise<void> {
  // It fails when the sender disconnects.
  const code = await status.catch(() => null)
  if (code === null) response.destroy()
  else response.writeHead(code).end()
}

/** Returns `null` for a body that is larger than any event. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
