import type { TraceRecorder } from './trace-recorder.ts'

/** The request that a call is made for; of several that share a call, the first. */
export interface CallingRequest {
  readonly requestId: string
  /** Left out: the request has no trace. */
  readonly recorder?: TraceRecorder | undefined
}
