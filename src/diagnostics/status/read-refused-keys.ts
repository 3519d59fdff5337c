import type { Database } from '../../storage/database.ts'
import type { OpenIncident } from '../../storage/diagnostics/open-incidents.ts'
import {
  type ApiKey,
  isApiKeyUsable,
  KEY_ID_PATTERN,
  listApiKeys,
  listApiKeysById,
} from '../../storage/keys/api-keys.ts'
import { findKeyRevoker } from '../../storage/operators/audit-log.ts'

/** A key that is still used although it is refused: revoked, expired, or sent from an origin that it does not allow. */
export interface RefusedKeyStatus {
  key: ApiKey
  incidentId: string
  reason: 'revoked' | 'expired' | 'origin'
  /** When it was revoked or expired, in milliseconds since the epoch; `null`: it is valid. */
  endedAt: number | null
  /** The operator who revoked it; `null`: unknown. */
  revokedBy: string | null
  /** Refused requests since the incident began. */
  refused: number
  lastAt: number
  /** Keys that were issued for the same merchant and mode after it had ended, the latest first. */
  issuedSince: ApiKey[]
}

export type KeyIncident = Pick<OpenIncident, 'incident_id' | 'system' | 'section' | 'last_at' | 'answers'>

const MAX_KEYS = 20

/** Returns true for an incident of a key: its section is the id of the key. */
export const isKeyIncident = ({ system, section }: Pick<KeyIncident, 'system' | 'section'>): boolean =>
  system === '' && KEY_ID_PATTERN.test(section)

/** Reads the keys of these incidents, the latest refusal first. */
export async function readRefusedKeys(
  db: Database,
  incidents: readonly KeyIncident[],
  now: number,
): Promise<RefusedKeyStatus[]> {
  const latest = incidents
    .filter(isKeyIncident)
    .toSorted((one, other) => (one.last_at < other.last_at ? 1 : -1))
    .slice(0, MAX_KEYS)
  if (latest.length === 0) return []
  const ids = latest.map(({ section }) => section)
  const keys = new Map((await listApiKeysById(db, ids)).map((key) => [key.key_id, key]))
  const statuses = await Promise.all(
    latest.map((incident) => {
      const key = keys.get(incident.section)
      return key ? toRefusedKey(db, incident, key, now) : null
    }),
  )
  return statuses.filter((status) => status !== null)
}

async function toRefusedKey(db: Database, incident: KeyIncident, key: ApiKey, now: number): Promise<RefusedKeyStatus> {
  const at = new Date(now).toISOString()
  const isRevoked = key.revoked || (key.revoked_at !== null && key.revoked_at <= at)
  const reason = isApiKeyUsable(key, at) ? 'origin' : isRevoked ? 'revoked' : 'expired'
  const end = reason === 'origin' ? null : reason === 'revoked' ? key.revoked_at : key.expires_at
  return {
    key,
    incidentId: incident.incident_id,
    reason,
    endedAt: end === null ? null : Date.parse(end),
    revokedBy: reason === 'revoked' && end !== null ? await findKeyRevoker(db, key.key_id, Date.parse(end)) : null,
    refused: incident.answers,
    lastAt: Date.parse(incident.last_at),
    issuedSince: end === null ? [] : await listKeysIssuedSince(db, key, end),
  }
}

async function listKeysIssuedSince(db: Database, { tenant_id, mode }: ApiKey, since: string): Promise<ApiKey[]> {
  const keys = await listApiKeys(db, tenant_id)
  return keys.filter((key) => key.mode === mode && key.created_at >= since).toReversed()
}
