import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../doctor-findings.ts'
import { emptyOr, OdooDatetime, OdooId, OdooIds, OdooText, toEpochMs } from '../client/odoo-values.ts'
import { foundShape } from '../client/rpc.ts'
import type { ExaminationContext } from './examination-context.ts'

const UserContext = responseSchema(Type.Object({ uid: OdooId, tz: OdooText }))
const Users = foundShape(Type.Object({ id: OdooId, company_ids: OdooIds }))
const Keys = foundShape(Type.Object({ id: OdooId, name: Type.String(), expiration_date: emptyOr(OdooDatetime) }))

const DAY_MS = 86_400_000
const WARN_DAYS = 14

/** Checks the API key, the user's time zone and company, and when the user's keys end. */
export async function checkUser(context: ExaminationContext): Promise<DoctorFinding[]> {
  const { rpc, settings, call } = context
  try {
    const { uid, tz } = await rpc.call(UserContext, 'res.users/context_get', {}, call())
    const [users, keys] = await Promise.all([
      rpc.search(Users, 'res.users', { domain: [['id', '=', uid]], specification: { company_ids: {} } }, call()),
      rpc.search(
        Keys,
        'res.users.apikeys',
        { domain: [['user_id', '=', uid]], specification: { name: {}, expiration_date: {} } },
        call(),
      ),
    ])
    const companies = users.records[0]?.company_ids ?? []
    return [
      ...(companies.includes(settings.company ?? 1) ? [] : [toCompanyFinding(settings.company ?? 1)]),
      ...(tz === 'UTC' ? [] : [toTimeZoneFinding(tz || 'none')]),
      ...keys.records.flatMap((key) => toExpiryFindings(key, context.facts.now().getTime())),
    ]
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.failure !== 'unauthorized') throw error
    const remedy =
      'Create an API key of the user in Odoo (Preferences > Security) for the longest duration, and set {path}.api_key'
    return [
      createFinding('error', 'api_key', 'Odoo rejects the API key: it is wrong, or it has expired', remedy, {
        blocks: true,
      }),
    ]
  }
}

const toCompanyFinding = (company: number) =>
  createFinding(
    'error',
    'company',
    `the user of the key does not belong to company ${company}`,
    'Add the company to the user in Odoo (Settings > Users), or set {path}.company',
    { blocks: true },
  )

const toTimeZoneFinding = (timeZone: string) =>
  createFinding(
    'warning',
    'time_zone',
    `the time zone of the user is ${timeZone}`,
    'Set the time zone of the user in Odoo to UTC: otherwise orders that are placed around midnight get dates of another day',
  )

function toExpiryFindings({ name, expiration_date }: { name: string; expiration_date: string | false }, now: number) {
  if (!expiration_date) return []
  const days = Math.floor((toEpochMs(expiration_date) - now) / DAY_MS)
  if (days > WARN_DAYS)
    return [createFinding('note', 'api_key_end', `the API key "${name}" expires in ${days} days`, '')]
  const finding = days < 0 ? `the API key "${name}" has expired` : `the API key "${name}" expires in ${days} days`
  const remedy = 'If it is the key of {path}.api_key, create another one in Odoo, set it, and delete the old one'
  return [createFinding('warning', 'api_key_end', finding, remedy)]
}
