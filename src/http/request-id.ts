import { randomBase62 } from '../security/base62.ts'

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/
const boot = randomBase62(10)
let count = 0

/** Returns the caller's own id when it is well-formed, and otherwise a new one, unique by process and counter. */
export function toRequestId(callerId: string | string[] | undefined): string {
  if (typeof callerId === 'string' && WELL_FORMED.test(callerId)) return callerId
  count += 1
  return `${boot}-${count.toString(36)}`
}
