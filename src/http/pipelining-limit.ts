import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The most pipelined requests that wait on all connections of a listener together. Each takes a few kilobytes. */
const MAX_WAITING = 4_096

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  handler: RequestListener
}

interface Pipeline {
  /** The newest response that was started on the connection. */
  response: ServerResponse
  /** Requests that arrived before it was sent; set with the first of them. */
  waiting?: Exchange[]
}

interface WaitingLimit {
  count: number
  max: number
  queues: Map<Socket, Exchange[]>
}

/**
 * Creates a wrapper for the request listeners of a server. It hands over one request of a connection at a time, in order, once the response
 * before it was sent, and reads nothing more from the connection while requests wait. Node itself hands over all requests of a read (64 KiB)
 * at once, however many responses the client has left unread. At the limit of waiting requests, the connection that has most of them is
 * closed (RFC 9112, 9.3.2).
 */
export function createPipeliningLimit(maxWaiting = MAX_WAITING): (handler: RequestListener) => RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>()
  const limit: WaitingLimit = { count: 0, max: maxWaiting, queues: new Map() }
  return (handler) => (request, response) => {
    const pipeline = pipelines.get(request.socket)
    if (!pipeline) pipelines.set(request.socket, { response })
    else if (pipeline.waiting?.length || !pipeline.response.writableFinished)
      return wait(pipeline, { request, response, handler }, limit)
    else pipeline.response = response
    return handler(request, response)
  }
}

function wait(pipeline: Pipeline, exchange: Exchange, limit: WaitingLimit): void {
  const { socket } = exchange.request
  if (socket.destroyed) return
  if (limit.count >= limit.max) closeLongest(limit)
  if (socket.destroyed) return
  const waiting = pipeline.waiting ?? observe(socket, limit)
  pipeline.waiting = waiting
  limit.count += 1
  if (waiting.push(exchange) > 1) return
  socket.pause()
  pipeline.response.once('finish', () => startNext(pipeline, limit))
}

function closeLongest(limit: WaitingLimit): void {
  let longest: [Socket, Exchange[]] | undefined
  for (const queue of limit.queues) if (!longest || queue[1].length > longest[1].length) longest = queue
  if (!longest) return
  const [socket, waiting] = longest
  limit.count -= waiting.splice(0).length
  socket.destroy()
}

/** Keeps the connection paused while requests wait: Node resumes it for reasons of its own. */
function observe(socket: Socket, limit: WaitingLimit): Exchange[] {
  const waiting: Exchange[] = []
  limit.queues.set(socket, waiting)
  socket.on('resume', () => waiting.length > 0 && socket.pause())
  socket.once('close', () => {
    limit.queues.delete(socket)
    limit.count -= waiting.splice(0).length
  })
  return waiting
}

function startNext(pipeline: Pipeline, limit: WaitingLimit): void {
  const { waiting = [] } = pipeline
  const [exchange] = waiting
  // The response before may have been the last of the connection.
  if (!exchange?.request.socket.writable) return
  waiting.shift()
  limit.count -= 1
  const { request, response, handler } = exchange
  pipeline.response = response
  if (waiting.length > 0) response.once('finish', () => startNext(pipeline, limit))
  else request.socket.resume()
  handler(request, response)
}
