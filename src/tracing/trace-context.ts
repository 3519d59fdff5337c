import type { IncomingHttpHeaders } from 'node:http'
import type { TraceContext } from '../ports/call.ts'

/** A request's place in the trace of its caller. */
export interface CallerTraceContext extends TraceContext {
  traceId: string
  /** Id of the caller's span. */
  spanId: string
  sampled: boolean
}

/** `ff` is not a version; a version after ours may append fields. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/
const TRACEPARENT_CHARS = 55
/** W3C requires that at least this much is passed on; more is dropped. */
const TRACESTATE_CHARS = 512
const TRACESTATE_MEMBERS = 32
const MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/
const SAMPLED = 1
/** The flags with a meaning: sampled and random. All others are sent as zero. */
const KNOWN_FLAGS = 3

/** Returns the trace context of a request's headers; `undefined` when absent or malformed. https://www.w3.org/TR/trace-context/ */
export function parseCallerTraceContext({
  traceparent,
  tracestate,
}: IncomingHttpHeaders): CallerTraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined
  const [, version, traceId, spanId, hex] = TRACEPARENT.exec(traceparent) ?? []
  if (version === undefined || (version === '00' && traceparent.length !== TRACEPARENT_CHARS)) return undefined
  const flags = Number.parseInt(hex!, 16) & KNOWN_FLAGS
  const state = typeof tracestate === 'string' ? parseTracestate(tracestate) : undefined
  return {
    traceId: traceId!,
    spanId: spanId!,
    sampled: (flags & SAMPLED) === SAMPLED,
    traceparent: toTraceparent(traceId!, spanId!, flags),
    ...(state !== undefined && { tracestate: state }),
  }
}

export const toTraceparent = (traceId: string, spanId: string, flags: number): string =>
  `00-${traceId}-${spanId}-0${flags}`

/** Returns a valid tracestate, normalized; `undefined` when any part of it is malformed. */
function parseTracestate(text: string): string | undefined {
  if (text.length > TRACESTATE_CHARS) return undefined
  const members = text
    .split(',')
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((member) => member !== '')
  if (members.length === 0 || members.length > TRACESTATE_MEMBERS) return undefined
  if (!members.every((member) => MEMBER.test(member))) return undefined
  const keys = new Set(members.map((member) => member.slice(0, member.indexOf('='))))
  return keys.size === members.length ? members.join(',') : undefined
}
