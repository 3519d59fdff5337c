/** The trace of a call, in the format of W3C Trace Context: https://www.w3.org/TR/trace-context/ */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string | undefined
}

/** The context of one call to a back office: its deadline, its cancellation, and the request id for logs. */
export interface Call {
  /** Aborted when no caller waits any longer, or at the deadline. */
  readonly signal: AbortSignal
  /** Milliseconds left now; sent upstream so that a system can stop its work too. */
  timeoutMs(): number
  /** The id of the storefront request or background refresh that makes the call. */
  readonly requestId: string
  readonly trace?: TraceContext | undefined
  /** Called when a request has been sent, and when its response begins: a system that is too slow may have begun to respond. */
  onExchange?(progress: 'sent' | 'responding'): void
  /** No request waits for the response. */
  readonly isBackground?: boolean | undefined
}
