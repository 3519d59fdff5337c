import { Type } from 'typebox'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { formatCount } from '../../format-count.ts'
import { emptyOr, OdooDatetime, OdooId, OdooText, toEpochMs } from '../client/odoo-values.ts'
import { foundShape } from '../client/rpc.ts'
import type { ExaminationContext } from './examination-context.ts'

const UserContext = responseSchema(Type.Object({ uid: OdooId, tz: OdooText }))
const Keys = foundShape(Type.Object({ id: OdooId, name: Type.String(), expiration_date: emptyOr(OdooDatetime) }))

const DAY_MS = 86_400_000
const WARN_DAYS = 14

/** Checks the time zone of the user, and when the user's keys end. */
export async function checkUser({ rpc, call, facts }: ExaminationContext): Promise<DoctorFinding[]> {
  const { uid, tz } = await rpc.call(UserContext, 'res.users/context_get', {}, call())
  const keys = await rpc.search(
    Keys,
    'res.users.apikeys',
    { domain: [['user_id', '=', uid]], specification: { name: {}, expiration_date: {} } },
    call(),
  )
  return [
    ...(tz === 'UTC' ? [] : [toTimeZoneFinding(tz || 'none')]),
    ...keys.records.flatMap((key) => toExpiryFindings(key, facts.now().getTime())),
  ]
}

const toTimeZoneFinding = (timeZone: string) =>
  createFinding(
    'warning',
    'time_zone',
    `the time zone of the user is ${timeZone}`,
    'Set the time zone of the user in Odoo to UTC: otherwise orders that are placed around midnight get dates of another day',
  )

function toExpiryFindings({ name, expiration_date }: { name: string; expiration_date: string | false }, now: number) {
  if (!expiration_date) return []
  const leftMs = toEpochMs(expiration_date) - now
  const days = Math.floor(leftMs / DAY_MS)
  if (days > WARN_DAYS)
    return [createFinding('note', 'api_key_end', `the API key "${name}" expires in ${days} days`, '')]
  const finding = `the API key "${name}" ${leftMs < 0 ? 'has expired' : `expires in ${describeDays(leftMs)}`}`
  const remedy = 'If it is the key of {path}.api_key, create another one in Odoo, set it, and delete the old one'
  return [createFinding('warning', 'api_key_end', finding, remedy)]
}

function describeDays(ms: number): string {
  if (ms < DAY_MS) return 'less than a day'
  return formatCount(Math.floor(ms / DAY_MS), 'day')
}
