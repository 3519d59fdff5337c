import { PassThrough } from 'node:stream'
import { Problem } from '../../errors.ts'
import { toNetwork } from '../../security/ip-address.ts'
import type { Context } from '../context.ts'
import { sendResponse } from './send-response.ts'

/** Open `text/event-stream` responses (server-sent events of the HTML standard), which all get the same events. */
export interface EventStreams extends Disposable {
  /** Keeps the response open until its client leaves. A client's newest streams stay open. Throws Problem `overloaded` when too many are open, and after disposal. */
  open(ctx: Pick<Context, 'status' | 'body' | 'set' | 'state'>): void
  /** Sends an event, as JSON, to the clients that are connected now. */
  send(event: object): void
  /** The number of open responses. */
  readonly size: number
}

export interface EventStreamLimits {
  maxStreams: number
  /** Clients with IPv6 are counted by their /64 network. */
  maxStreamsPerClient: number
  /** How often a comment is sent. Proxies, and Forecourt's server, close connections that are silent for longer. */
  heartbeatMs: number
}

/** The standard recommends a comment every 15 seconds. */
const defaultLimits: EventStreamLimits = { maxStreams: 100, maxStreamsPerClient: 10, heartbeatMs: 15_000 }
const COMMENT = ':\n\n'
const RETRY_AFTER_SECONDS = '10'

/** Disposing it ends all responses, so that a server can shut down. */
export function createEventStreams(limits: Partial<EventStreamLimits> = {}): EventStreams {
  const { maxStreams, maxStreamsPerClient, heartbeatMs } = { ...defaultLimits, ...limits }
  /** The open streams with their clients, the oldest first. */
  const streams = new Map<PassThrough, string>()
  let heartbeat: NodeJS.Timeout | undefined
  let isEnded = false

  /** A client that reads too slowly loses its stream. Its connection ends with the timeout of an idle one. */
  function write(text: string): void {
    for (const stream of streams.keys()) if (!stream.write(text)) end(stream)
  }

  function end(stream: PassThrough): void {
    streams.delete(stream)
    stream.end()
    if (streams.size === 0) clearInterval(heartbeat)
  }

  /** The newest stream is of the page that is being looked at. Connections that were lost without notice are old. */
  function endOldestAboveLimit(client: string): void {
    const own = [...streams.keys()].filter((stream) => streams.get(stream) === client)
    if (own.length < maxStreamsPerClient) return
    own[0]!.write(`: This client has opened a newer stream. At most ${maxStreamsPerClient} can be open.\n\n`)
    end(own[0]!)
  }

  return {
    open(ctx) {
      const client = toNetwork(ctx.state.clientAddress)
      endOldestAboveLimit(client)
      if (isEnded || streams.size >= maxStreams)
        throw new Problem('overloaded', 'Too many streams are open.', {
          headers: { 'Retry-After': RETRY_AFTER_SECONDS },
        })
      const stream = new PassThrough()
      if (streams.size === 0) heartbeat = setInterval(write, heartbeatMs, COMMENT)
      streams.set(stream, client)
      // Koa destroys it when the client leaves.
      stream.once('close', () => end(stream))
      // The headers are sent with the first bytes.
      stream.write(COMMENT)
      ctx.state.streamOpenedAt = performance.now()
      sendResponse(ctx, {
        status: 200,
        body: stream,
        contentType: 'text/event-stream',
        cacheControl: 'no-store',
        // nginx passes each event on at once.
        headers: { 'X-Accel-Buffering': 'no' },
      })
    },
    send: (event) => write(`data: ${JSON.stringify(event)}\n\n`),
    get size() {
      return streams.size
    },
    [Symbol.dispose]() {
      isEnded = true
      for (const stream of streams.keys()) end(stream)
    },
  }
}
