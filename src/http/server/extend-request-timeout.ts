import type { Pipeline } from './pipelining-limit.ts'

/**
 * Restarts the timeout of a late request when its connection is read again, and calls `onTimeout` when that timeout has passed. Node's own
 * timeouts continue while the server does not read from the connection (see `Pipelining`), which is not the client's fault. Returns false when
 * the connection was read for the whole timeout.
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

/** Tracks the late request: the newest one if its body is incomplete, otherwise the next one, whose headers are incomplete. */
function followOverdueRequest(pipeline: Pipeline): () => boolean {
  let overdue = pipeline.newest.complete ? undefined : pipeline.newest
  if (!overdue)
    pipeline.onArrival = (request) => {
      overdue = request
      pipeline.onArrival = undefined
    }
  return () => overdue?.complete === true
}
