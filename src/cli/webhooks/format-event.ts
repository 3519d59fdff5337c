import type { IncomingHttpHeaders } from 'node:http'
import type { EventEnvelope } from '../../contract/webhook.ts'

const SHOWN = 240

/** A delivery as a person reads it: what came, what became of it, and the beginning of its data. */
export function formatEvent(event: EventEnvelope, headers: IncomingHttpHeaders, now: number, outcome: string): string {
  const { type, resource, sequence, data } = event
  const what = `${resource.type} ${resource.id} #${sequence}`
  const json = JSON.stringify(data)
  const head = formatEventLine(now, [type, what, `attempt ${headers['x-service-attempt']}`, outcome])
  return `${head}\n          ${said(json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json)}`
}

export const formatEventLine = (now: number, parts: readonly unknown[]): string =>
  [new Date(now).toTimeString().slice(0, 8), ...parts.map(said)].join('  ')

/** A terminal obeys what it is shown. */
const said = (text: unknown) => String(text ?? '?').replace(/\p{Cc}/gu, '?')
