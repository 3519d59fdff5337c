import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api'
import type { RequestOutcome } from '../diagnostics/request-outcome.ts'
import { redactPath } from '../storage/keys/api-key-format.ts'
import type { CallTrace } from '../upstream/call-trace.ts'
import type { SectionOutcome } from '../upstream/trace-recorder.ts'

/** Of a request: nothing of its query, its headers or its body. */
export function requestSpanAttributes({ url, ...of }: RequestOutcome): Attributes {
  return {
    'http.request.method': of.method,
    'http.response.status_code': of.status,
    'url.path': redactPath(url),
    'forecourt.operation': of.route,
    'forecourt.request_id': of.requestId,
    'forecourt.mode': of.mode,
    'forecourt.cache': of.cache,
    ...(of.tenant !== null && { 'forecourt.merchant': of.tenant }),
    ...(of.code !== undefined && { 'forecourt.code': of.code }),
    ...(of.deadlineMs !== undefined && { 'forecourt.deadline_ms': of.deadlineMs }),
  }
}

export function callSpanAttributes({ system, operation, attempts, outcome, ...call }: CallTrace): Attributes {
  return {
    'forecourt.system': system,
    'forecourt.call': operation,
    'forecourt.attempts': attempts,
    'forecourt.outcome': outcome,
    'forecourt.queued_ms': call.queuedMs,
    ...(call.cause !== null && { 'forecourt.cause': call.cause }),
  }
}

export function sectionSpanAttributes(end: SectionOutcome): Attributes {
  return {
    'forecourt.outcome': end.outcome,
    ...(end.system !== null && { 'forecourt.system': end.system }),
    ...(end.code !== null && { 'forecourt.code': end.code }),
    ...(end.cause !== null && { 'forecourt.cause': end.cause }),
    ...(end.staleAsOf !== null && { 'forecourt.stale_as_of': new Date(end.staleAsOf).toISOString() }),
    ...(end.simulated && { 'forecourt.simulated': true }),
  }
}

/** What is not there to be asked, and what nobody waited for any longer, did not fail. */
const noFailure: ReadonlySet<string> = new Set(['ok', 'pending', 'not_configured', 'aborted'])

export const isFailedOutcome = (outcome: string): boolean => !noFailure.has(outcome)

export function markSpanFailed(span: Span, why?: string | null): void {
  span.setStatus({ code: SpanStatusCode.ERROR, ...(why && { message: why }) })
}
