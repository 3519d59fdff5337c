import type { Pipeline } from './pipelining-limit.ts'

/**
 * Gives a request that did not arrive in time the whole timeout again, from when its connection is read again, and calls `onTimeout` after it.
 * Node's timeouts go on while the server reads nothing from a connection (see `Pipelining`), for which the client is not to blame. Returns
 * false when the connection was read for the whole timeout.
 */
export function extendRequestTimeout(
  pipeline: Pipeline | undefined,
  timeoutMs: number,
  onTimeout: () => void,
): boolean {
  if (!pipeline) return false
  const isWaiting = Boolean(pipeline.waiting?.length)
  const leftMs = (pipeline.resumedAt ?? Number.NEGATIVE_INFINITY) + timeoutMs - performance.now()
  if (!isWaiting && leftMs <= 0) return false
  const isComplete = followOverdueRequest(pipeline)
  const start = (ms: number) => {
    const timer = setTimeout(() => isComplete() || onTimeout(), ms).unref()
    pipeline.socket.once('close', () => clearTimeout(timer))
  }
  if (isWaiting) pipeline.onResume = () => start(timeoutMs)
  else start(leftMs)
  return true
}

/** Follows the request that is late: the newest one whose body is not complete, or the next one, of which the headers are not. */
function followOverdueRequest(pipeline: Pipeline): () => boolean {
  let overdue = pipeline.newest.complete ? undefined : pipeline.newest
  if (!overdue)
    pipeline.onArrival = (request) => {
      overdue = request
      pipeline.onArrival = undefined
    }
  return () => overdue?.complete === true
}
