import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { EventEnvelope } from '../../contract/webhook.ts'
import { findSignatureMistake } from './find-signature-mistake.ts'
import { formatEvent, formatEventLine } from './format-event.ts'
import { forwardEvent } from './forward-event.ts'

export interface EventReceiverParts {
  /** To answer with; `null`: 204. */
  fail: number | null
  /** Where verified events are passed on to. */
  forward: string | null
  /** How long the shop has to answer. */
  forwardMs?: number
  /** Milliseconds since the epoch. */
  now: () => number
  tell(text: string): void
  /** The last word to its sender: 410. */
  onGone?: () => void
}

export interface EventReceiver {
  handler: RequestListener
  /** What deliveries must be signed with from now on. */
  expect(secret: string): void
}

const NO_CONTENT = 204
const GONE = 410
/** Less than a delivery is waited for. */
const FORWARD_MS = 13_000
const LONGEST = 4 * 1_048_576
const SEEN = 10_000

/** Takes deliveries as a merchant's receiver should: proof over the raw bytes first, doubles dropped by id. */
export function createEventReceiver(parts: EventReceiverParts): EventReceiver {
  const { fail, forward, forwardMs = FORWARD_MS, now, tell, onGone } = parts
  const taken = new Set<string>()
  let secret: string | null = null

  async function receive(request: IncomingMessage): Promise<number> {
    if (request.method !== 'POST') return 405
    if (secret === null) return 503
    const body = await bytesOf(request)
    if (!body) return 413
    const mistake = findSignatureMistake(request.headers, body, secret, now())
    if (mistake) {
      tell(formatEventLine(now(), [request.headers['x-service-event'], 'REJECTED', mistake]))
      return 401
    }
    const event = JSON.parse(body.toString()) as EventEnvelope
    if (taken.has(event.id)) {
      tell(formatEvent(event, request.headers, now(), 'VERIFIED, DUPLICATE: dropped'))
      return NO_CONTENT
    }
    const own = { status: fail ?? NO_CONTENT, how: `answered ${fail}` }
    const passes = fail === null && forward !== null
    const { status, how } = passes ? await forwardEvent(forward, request.headers, body, forwardMs) : own
    const good = status >= 200 && status < 300
    tell(formatEvent(event, request.headers, now(), good ? 'VERIFIED' : `VERIFIED, ${how}`))
    if (good) remember(event.id)
    if (status === GONE) onGone?.()
    return status
  }

  function remember(id: string): void {
    taken.add(id)
    if (taken.size > SEEN) taken.delete(taken.values().next().value!)
  }

  return {
    handler: (request, response) => void answer(response, receive(request)),
    expect(next) {
      secret = next
    },
  }
}

async function answer(response: ServerResponse, status: Promise<number>): Promise<void> {
  // Whoever left while sending is not answered.
  const code = await status.catch(() => null)
  if (code === null) response.destroy()
  else response.writeHead(code).end()
}

/** `null`: more than an event can be. */
async function bytesOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > LONGEST) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
