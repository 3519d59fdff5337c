import { createHash } from 'node:crypto'
import { type Tenant, tenantKey } from '../tenant.ts'

const PREFIX = 'cur_'
const CURSOR = /^cur_[\w-]{16}$/
const POSITION_BYTES = 6
const CHECK_BYTES = 6

export const isEventCursor = (text: string): boolean => text.startsWith(PREFIX)

/** Returns the opaque text of a position in a tenant's list of events. It contains a checksum, so that a cursor of another tenant is rejected. */
export function formatEventCursor(tenant: Tenant, position: number): string {
  const bytes = Buffer.alloc(POSITION_BYTES)
  bytes.writeUIntBE(position, 0, POSITION_BYTES)
  return PREFIX + Buffer.concat([bytes, computeCheck(tenant, position)]).toString('base64url')
}

/** Returns the position of a cursor; `null`: it is not a cursor of this tenant. */
export function parseEventCursor(tenant: Tenant, text: string): number | null {
  if (!CURSOR.test(text)) return null
  const position = Buffer.from(text.slice(PREFIX.length), 'base64url').readUIntBE(0, POSITION_BYTES)
  return formatEventCursor(tenant, position) === text ? position : null
}

const computeCheck = (tenant: Tenant, position: number): Buffer =>
  createHash('sha256')
    .update(`${tenantKey(tenant)}\n${position}`)
    .digest()
    .subarray(0, CHECK_BYTES)
