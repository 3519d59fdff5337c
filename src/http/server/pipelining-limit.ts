import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The maximum number of pipelined requests that wait, on all connections of a listener together. Each takes a few kilobytes. */
const MAX_WAITING = 4_096

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  handler: RequestListener
}

/** The state of a connection that sent a request. */
export interface Pipeline {
  socket: Socket
  /** The newest request that arrived. */
  newest: IncomingMessage
  /** The newest response that was started on the connection, and its request. */
  request: IncomingMessage
  response: ServerResponse
  /** Requests that arrived before it was sent; set with the first of them. */
  waiting?: Exchange[]
  /** No more requests are read from the connection or passed to the handler. */
  isFinished?: true
  /** When the connection was last read again, after requests had waited. */
  resumedAt?: number
  onResume?: (() => void) | undefined
  onArrival?: ((request: IncomingMessage) => void) | undefined
}

interface WaitingLimit {
  count: number
  max: number
  queues: Map<Socket, Exchange[]>
}

export interface Pipelining {
  /**
   * Wraps a request listener: it gets one request of a connection at a time, in order, once the previous response has been sent. Nothing more is
   * read from the connection while requests wait. Node itself hands over all requests of a read (64 KiB) at once, however many responses the
   * client has left unread. At the limit of waiting requests, the connection that has most of them is closed (RFC 9112, 9.3.2).
   */
  limit(handler: RequestListener): RequestListener
  /** Reads nothing more from a connection, and calls `end` after the responses to all requests that arrived completely. */
  finish(socket: Socket, end: () => void): void
  pipelineOf(socket: Socket): Pipeline | undefined
}

export function createPipelining(maxWaiting = MAX_WAITING): Pipelining {
  const pipelines = new WeakMap<Socket, Pipeline>()
  const limit: WaitingLimit = { count: 0, max: maxWaiting, queues: new Map() }
  return {
    limit: (handler) => (request, response) => {
      const { socket } = request
      const pipeline = pipelines.get(socket)
      if (!pipeline) pipelines.set(socket, { socket, newest: request, request, response })
      else if (addRequest(pipeline, { request, response, handler }, limit)) return
      return handler(request, response)
    },
    finish(socket, end) {
      const pipeline = pipelines.get(socket)
      if (pipeline) finish(pipeline, end, limit)
      else end()
    },
    pipelineOf: (socket) => pipelines.get(socket),
  }
}

/** Records a further request of a connection. Returns true when it has to wait. */
function addRequest(pipeline: Pipeline, exchange: Exchange, limit: WaitingLimit): boolean {
  pipeline.newest = exchange.request
  pipeline.onArrival?.(exchange.request)
  if (pipeline.isFinished) return true
  if (pipeline.waiting?.length || !pipeline.response.writableFinished) {
    wait(pipeline, exchange, limit)
    return true
  }
  pipeline.request = exchange.request
  pipeline.response = exchange.response
  return false
}

function wait(pipeline: Pipeline, exchange: Exchange, limit: WaitingLimit): void {
  const { socket } = pipeline
  if (socket.destroyed) return
  if (limit.count >= limit.max) closeLongest(limit)
  if (socket.destroyed) return
  const waiting = queueOf(pipeline, limit)
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

/** Returns the queue of a connection, which stays paused while requests wait: Node resumes it for reasons of its own. */
function queueOf(pipeline: Pipeline, limit: WaitingLimit): Exchange[] {
  if (pipeline.waiting) return pipeline.waiting
  const { socket } = pipeline
  const waiting: Exchange[] = []
  pipeline.waiting = waiting
  limit.queues.set(socket, waiting)
  socket.on('resume', () => (waiting.length > 0 || pipeline.isFinished) && socket.pause())
  socket.once('close', () => {
    limit.queues.delete(socket)
    limit.count -= waiting.splice(0).length
  })
  return waiting
}

function startNext(pipeline: Pipeline, limit: WaitingLimit): void {
  const { socket, waiting = [] } = pipeline
  const [exchange] = waiting
  // The response before may have been the last of the connection.
  if (!exchange || !socket.writable) return
  waiting.shift()
  limit.count -= 1
  const { request, response, handler } = exchange
  pipeline.request = request
  pipeline.response = response
  if (waiting.length > 0) response.once('finish', () => startNext(pipeline, limit))
  else if (!pipeline.isFinished) resume(pipeline)
  handler(request, response)
}

function resume(pipeline: Pipeline): void {
  pipeline.resumedAt = performance.now()
  pipeline.socket.resume()
  pipeline.onResume?.()
  pipeline.onResume = undefined
}

function finish(pipeline: Pipeline, end: () => void, limit: WaitingLimit): void {
  if (pipeline.isFinished) return
  const waiting = queueOf(pipeline, limit)
  pipeline.isFinished = true
  pipeline.socket.pause()
  if (waiting.length > 0 && !waiting.at(-1)!.request.complete) {
    waiting.pop()
    limit.count -= 1
  }
  const last = waiting.at(-1) ?? pipeline
  if (last.request.complete && !last.response.writableFinished) last.response.once('finish', end)
  else end()
}
