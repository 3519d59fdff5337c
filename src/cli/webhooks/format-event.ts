import type { IncomingHttpHeaders } from 'node:http'
import type { EventEnvelope } from '../../contract/events/event-envelope.ts'

const MAX_DATA_LENGTH = 240

/** Returns a delivery for people: the event, the outcome, and the beginning of its data. */
export function formatEvent(event: EventEnvelope, headers: IncomingHttpHeaders, now: number, outcome: string): string {
  const { type, resource, sequence, data } = event
  const subject = `${resource.type} ${resource.id} #${sequence}`
  const json = JSON.stringify(data)
  const line = formatEventLine(now, [type, subject, `attempt ${headers['x-service-attempt']}`, outcome])
  return `${line}\n          ${toSafeText(json.length > MAX_DATA_LENGTH ? `${json.slice(0, MAX_DATA_LENGTH)}…` : json)}`
}

export const formatEventLine = (now: number, parts: readonly unknown[]): string =>
  [new Date(now).toTimeString().slice(0, 8), ...parts.map(toSafeText)].join('  ')

/** Replaces control characters, which a terminal would execute. */
const toSafeText = (text: unknown) => String(text ?? '?').replace(/\p{Cc}/gu, '?')
