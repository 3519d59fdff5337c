import type { Dispatcher } from 'undici'
import { AttemptFailure } from './attempt-failure.ts'
import { MAX_EXCERPT_BYTES } from './response-excerpt.ts'

export interface PostResponse {
  status: number
  retryAfter: string | undefined
  /** The first bytes of the body, up to the length of an excerpt. */
  beginning: Buffer
}

export interface PostRequest {
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** A longer response body closes the connection. */
const MAX_DRAINED_BYTES = 65_536
/** The status decides the outcome, so the body gets this long. */
const BODY_TIMEOUT_MS = 1_000

/** Sends one request and reads the beginning of its response. A body that does not end is cut off; its status counts. Rejects if there is no response in time. */
export function sendPost(
  dispatcher: Dispatcher,
  { path, headers, body }: PostRequest,
  totalMs: number,
): Promise<PostResponse> {
  return new Promise((resolve, reject) => {
    let response: PostResponse | undefined
    let receivedBytes = 0
    let isSettled = false
    let abort = () => {}
    let timer = setTimeout(() => end(new AttemptFailure('timeout')), totalMs)
    const startedAt = performance.now()

    function end(failure: unknown): void {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      abort()
      if (response) resolve(response)
      else reject(failure)
    }

    dispatcher.dispatch(
      { path, method: 'POST', headers, body },
      {
        onRequestStart(controller) {
          abort = () => controller.abort(new AttemptFailure('timeout'))
          if (isSettled) abort()
        },
        onResponseStart(_controller, status, { 'retry-after': retryAfter }) {
          if (status < 200) return
          response = { status, retryAfter: [retryAfter].flat()[0], beginning: Buffer.alloc(0) }
          clearTimeout(timer)
          timer = setTimeout(end, Math.min(BODY_TIMEOUT_MS, totalMs - (performance.now() - startedAt)))
        },
        onResponseData(_controller, chunk) {
          receivedBytes += chunk.length
          const { beginning } = response!
          if (beginning.length < MAX_EXCERPT_BYTES)
            response!.beginning = Buffer.concat([beginning, chunk.subarray(0, MAX_EXCERPT_BYTES - beginning.length)])
          if (receivedBytes > MAX_DRAINED_BYTES) end(null)
        },
        onResponseEnd() {
          abort = () => {}
          end(null)
        },
        onResponseError(_controller, error) {
          abort = () => {}
          end(error)
        },
      },
    )
  })
}
