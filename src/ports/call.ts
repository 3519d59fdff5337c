/** The trace that a call belongs to, as W3C Trace Context writes it: https://www.w3.org/TR/trace-context/ */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string | undefined
}

/** What travels with one question to a back office: how long it may take, when to stop, and whom to name in a log. */
export interface Call {
  /** Aborted when nobody waits for the answer any longer, or when its time is over. */
  readonly signal: AbortSignal
  /** Milliseconds left at this moment; sent upstream so that a system can give up too. */
  timeoutMs(): number
  /** The id of the storefront request, or of the background refresh, that asked. */
  readonly requestId: string
  readonly trace?: TraceContext | undefined
}
