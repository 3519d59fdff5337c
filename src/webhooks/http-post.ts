import type { Dispatcher } from 'undici'
import { AttemptFailure } from './attempt-failure.ts'
import { MAX_EXCERPT_BYTES } from './response-excerpt.ts'

export interface PostResponse {
  status: number
  retryAfter: string | undefined
  /** No more than the excerpt's length. */
  beginning: Buffer
}

export interface PostRequest {
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** A longer answer costs its connection. */
const DRAINED_BYTES = 65_536
/** The status says it all: the rest may take as long. */
const BODY_MS = 1_000

/** One request and the beginning of its answer. An answer that does not end is cut, and counts by its status. Rejects when there is none in time. */
export function sendPost(
  dispatcher: Dispatcher,
  { path, headers, body }: PostRequest,
  totalMs: number,
): Promise<PostResponse> {
  return new Promise((resolve, reject) => {
    let answer: PostResponse | undefined
    let received = 0
    let over = false
    let cut = () => {}
    let timer = setTimeout(() => end(new AttemptFailure('timeout')), totalMs)
    const began = performance.now()

    function end(failure: unknown): void {
      if (over) return
      over = true
      clearTimeout(timer)
      cut()
      if (answer) resolve(answer)
      else reject(failure)
    }

    dispatcher.dispatch(
      { path, method: 'POST', headers, body },
      {
        onRequestStart(controller) {
          cut = () => controller.abort(new AttemptFailure('timeout'))
          if (over) cut()
        },
        onResponseStart(_controller, status, { 'retry-after': retryAfter }) {
          if (status < 200) return
          answer = { status, retryAfter: [retryAfter].flat()[0], beginning: Buffer.alloc(0) }
          clearTimeout(timer)
          timer = setTimeout(end, Math.min(BODY_MS, totalMs - (performance.now() - began)))
        },
        onResponseData(_controller, chunk) {
          received += chunk.length
          const { beginning } = answer!
          if (beginning.length < MAX_EXCERPT_BYTES)
            answer!.beginning = Buffer.concat([beginning, chunk.subarray(0, MAX_EXCERPT_BYTES - beginning.length)])
          if (received > DRAINED_BYTES) end(null)
        },
        onResponseEnd() {
          cut = () => {}
          end(null)
        },
        onResponseError(_controller, error) {
          cut = () => {}
          end(error)
        },
      },
    )
  })
}
