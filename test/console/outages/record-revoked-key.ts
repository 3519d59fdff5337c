import { issueApiKey, revokeApiKey } from '../../../src/storage/keys/api-keys.ts'
import { writeAuditEntry } from '../../../src/storage/operators/audit-log.ts'
import type { OutageConsole } from './outage-console.ts'
import { MINUTE_MS } from './outage-times.ts'

const TENANT = { merchant: 'acme', mode: 'live' } as const
const iso = (ms: number) => new Date(ms).toISOString()

/** Anna revokes the key of a till that still sends it. */
export async function recordRevokedKey({ db, clock, record }: OutageConsole, refusals: number) {
  const at = clock.ms
  const { record: key } = await issueApiKey(db, { ...TENANT, kind: 'secret', label: 'till 4' })
  clock.ms -= MINUTE_MS
  await record([{ keyId: key.key_id, sections: undefined, calls: undefined, ms: 1 }], MINUTE_MS)
  const before = { created_at: iso(at - 90 * 24 * 60 * MINUTE_MS), last_used_at: iso(at - MINUTE_MS) }
  await db.updateTable('api_keys').set(before).where('key_id', '=', key.key_id).execute()
  await revokeApiKey(db, key.key_id, new Date(at))
  const entry = { operator: 'anna', role: 'operator', action: 'key.revoke', address: null, outcome: 'done' } as const
  await writeAuditEntry(db, { ...entry, target: { key: key.key_id } }, at)
  const refusal = { tenant: null, keyId: key.key_id, status: 401, code: 'invalid_api_key', endedKeyOf: TENANT, ms: 1 }
  const refused = { ...refusal, route: 'none', sections: undefined, calls: undefined }
  await record(
    Array.from({ length: refusals }, (_, index) => ({
      ...refused,
      requestId: index === 0 ? `one-${at}` : `till-${index}`,
    })),
    20_000,
  )
  return key
}
