import { randomBase62 } from '../storage/keys/api-key-format.ts'

const GIVEN = /^[A-Za-z0-9._-]{1,128}$/
const boot = randomBase62(10)
let count = 0

/** The caller's own id when it is a sane one, else one of ours: unique by process and count. */
export function toRequestId(given: string | string[] | undefined): string {
  if (typeof given === 'string' && GIVEN.test(given)) return given
  count += 1
  return `${boot}-${count.toString(36)}`
}
