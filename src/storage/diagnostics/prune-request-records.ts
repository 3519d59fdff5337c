import { setImmediate as nextTick } from 'node:timers/promises'
import { type Mode, modes } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { RequestRecordRow } from './request-records.ts'

/** The maximum number of records of one tenant, and of all tenants together, which share that number equally. */
export const requestRecordLimits = { each: 20_000, all: 200_000 } as const

/** The share of each kind. Otherwise refused requests with a public key could push out the degraded ones. */
const shares = { degraded: 0.6, slow: 0.2, refused: 0.2 } as const

export const requestRecordKinds = Object.keys(shares) as RequestRecordRow['kind'][]

const MAX_STEPS = 50

/** `tenant_id` is `null` for requests without a valid key. */
interface RecordOwner {
  tenant_id: string | null
  mode: Mode
}

/** Deletes old and surplus records of each tenant and kind. Returns the largest number that the last step for one of them deleted. */
export async function pruneRequestRecords(
  db: Database,
  before: string,
  limit: number,
  limits: { each: number; all: number } = requestRecordLimits,
): Promise<number> {
  const owners = await listOwners(db)
  const ownerLimit = Math.min(limits.each, limits.all / Math.max(1, owners.length))
  let deleted = 0
  for (const owner of owners)
    for (const kind of requestRecordKinds) {
      const maxRecords = Math.floor(ownerLimit * shares[kind])
      deleted = Math.max(deleted, await pruneKind(db, { ...owner, kind }, { before, maxRecords, limit }))
      await nextTick()
    }
  return deleted
}

/** Steps through the index from one owner to the next: there may be many records, and few owners. */
async function listOwners(db: Database): Promise<RecordOwner[]> {
  const owners: RecordOwner[] = []
  const addOwners = async (tenant_id: string | null) => {
    for (const mode of modes) if (await hasRecords(db, { tenant_id, mode })) owners.push({ tenant_id, mode })
  }
  await addOwners(null)
  for (let last = ''; ; ) {
    const query = db.selectFrom('request_records').select('tenant_id').where('tenant_id', '>', last)
    const next = await query.orderBy('tenant_id').limit(1).executeTakeFirst()
    if (!next?.tenant_id) return owners
    last = next.tenant_id
    await addOwners(last)
  }
}

function selectRecords(db: Database, { tenant_id, mode }: RecordOwner) {
  return db
    .selectFrom('request_records')
    .select(['record_id', 'at'])
    .where('tenant_id', tenant_id === null ? 'is' : '=', tenant_id)
    .where('mode', '=', mode)
}

const hasRecords = async (db: Database, owner: RecordOwner) =>
  (await selectRecords(db, owner).limit(1).executeTakeFirst()) !== undefined

async function pruneKind(
  db: Database,
  { kind, ...owner }: RecordOwner & { kind: RequestRecordRow['kind'] },
  { before, maxRecords, limit }: { before: string; maxRecords: number; limit: number },
): Promise<number> {
  const records = selectRecords(db, owner).where('kind', '=', kind)
  const newestFirst = records.orderBy('at', 'desc').orderBy('record_id', 'desc')
  const firstSurplus = await newestFirst.offset(maxRecords).limit(1).executeTakeFirst()
  const expired =
    firstSurplus && firstSurplus.at >= before
      ? records.where((eb) =>
          eb(eb.refTuple('at', 'record_id'), '<=', eb.tuple(firstSurplus.at, firstSurplus.record_id)),
        )
      : records.where('at', '<', before)
  const ids = expired.clearSelect().select('record_id').orderBy('at').limit(limit)
  // Several deletes for each search: finding the first surplus record costs more than a delete.
  for (let step = 1; ; step++) {
    const { numDeletedRows } = await db
      .deleteFrom('request_records')
      .where('record_id', 'in', ids)
      .executeTakeFirstOrThrow()
    if (numDeletedRows < limit || step === MAX_STEPS) return Number(numDeletedRows)
    await nextTick()
  }
}
