import type { IncomingHttpHeaders } from 'node:http'
import type { Mode } from '../../tenant.ts'

/** Names that are sent in place of X-Sandbox-Fault. A fixed list, as each cached read is checked for them. */
const OTHER_NAMES = [
  'X-Sandbox-Faults',
  'X-Sandbox-Failure',
  'X-Sandbox-Error',
  'X-Fault',
  'Sandbox-Fault',
  'Sandbox-Faults',
] as const
const names = OTHER_NAMES.map((name) => ({ name, key: name.toLowerCase() }))

const findOtherFaultHeader = (headers: IncomingHttpHeaders) => names.find(({ key }) => headers[key] !== undefined)?.name

export const hasOtherFaultHeader = (headers: IncomingHttpHeaders): boolean =>
  findOtherFaultHeader(headers) !== undefined

/** Returns a text for the header `Forecourt-Hint` about X-Sandbox-Fault under another name, or `null`. Live keys cannot simulate failures. */
export function hintAtOtherFaultHeader(mode: Mode, headers: IncomingHttpHeaders): string | null {
  const name = mode === 'sandbox' ? findOtherFaultHeader(headers) : undefined
  return name === undefined
    ? null
    : `The header ${name} is ignored, so no system fails. Send X-Sandbox-Fault, such as X-Sandbox-Fault: pricing=timeout.`
}
