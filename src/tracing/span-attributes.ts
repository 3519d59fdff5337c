import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api'
import type { FinishedRequest } from '../diagnostics/finished-request.ts'
import { redactPath } from '../security/redact-path.ts'
import type { CallTrace } from '../upstream/request/call-trace.ts'
import type { SectionOutcome } from '../upstream/request/section-outcome.ts'

/** Attributes of a request's span, without its query, headers and body. */
export function requestSpanAttributes({ url, ...request }: FinishedRequest): Attributes {
  return {
    'http.request.method': request.method,
    'http.response.status_code': request.status,
    'url.path': redactPath(url),
    'forecourt.operation': request.route,
    'forecourt.request_id': request.requestId,
    'forecourt.mode': request.mode,
    'forecourt.cache': request.cache,
    ...(request.tenant !== null && { 'forecourt.merchant': request.tenant }),
    ...(request.code !== undefined && { 'forecourt.code': request.code }),
    ...(request.deadlineMs !== undefined && { 'forecourt.deadline_ms': request.deadlineMs }),
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

export function sectionSpanAttributes(section: SectionOutcome): Attributes {
  return {
    'forecourt.outcome': section.outcome,
    ...(section.system !== null && { 'forecourt.system': section.system }),
    ...(section.code !== null && { 'forecourt.code': section.code }),
    ...(section.cause !== null && { 'forecourt.cause': section.cause }),
    ...(section.mirrored && { 'forecourt.mirrored': true }),
    ...(section.staleAsOf !== null && { 'forecourt.stale_as_of': new Date(section.staleAsOf).toISOString() }),
    ...(section.simulated && { 'forecourt.simulated': true }),
  }
}

/** Outcomes that are no failure: a system that is not configured, and a call that nobody waited for. */
const unfailedOutcomes: ReadonlySet<string> = new Set(['ok', 'pending', 'not_configured', 'aborted'])

export const isFailedOutcome = (outcome: string): boolean => !unfailedOutcomes.has(outcome)

export function markSpanFailed(span: Span, message?: string | null): void {
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message && { message }) })
}
