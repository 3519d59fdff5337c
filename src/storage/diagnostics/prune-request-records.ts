import { setImmediate as breath } from 'node:timers/promises'
import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'
import type { RequestRecordRow } from './request-records.ts'

/**
 * Of one merchant in one mode, the newest are kept: so many, or as many as their share of all is. Each kind has a part of that to itself:
 * whoever is refused all day, with the key that every browser has, must not push out what was degraded.
 */
export const requestRecordLimits = { each: 20_000, all: 200_000 } as const
const parts = { degraded: 0.6, slow: 0.2, refused: 0.2 } as const

export const requestRecordKinds = Object.keys(parts) as RequestRecordRow['kind'][]

const STEPS = 50

interface Owner {
  tenant_id: string | null
  mode: Mode
}

/** Deletes records of each merchant, mode and kind that are past their time, or too many; tells how many its last step for one of them took, at the most. */
export async function pruneRequestRecords(
  db: Database,
  before: string,
  most: number,
  limits: { each: number; all: number } = requestRecordLimits,
): Promise<number> {
  const owners = await ownersOfRecords(db)
  const share = Math.min(limits.each, limits.all / Math.max(1, owners.length))
  let deleted = 0
  for (const owner of owners)
    for (const kind of requestRecordKinds) {
      const kept = Math.floor(share * parts[kind])
      deleted = Math.max(deleted, await pruneOf(db, { ...owner, kind }, { before, kept, most }))
      await breath()
    }
  return deleted
}

/** By way of the index from one to the next: there may be many records, and few owners. */
async function ownersOfRecords(db: Database): Promise<Owner[]> {
  const owners: Owner[] = []
  for (const mode of ['live', 'sandbox'] as const)
    if (await hasRecords(db, { tenant_id: null, mode })) owners.push({ tenant_id: null, mode })
  for (let last = ''; ; ) {
    const next = db.selectFrom('request_records').select('tenant_id').where('tenant_id', '>', last)
    const found = await next.orderBy('tenant_id').limit(1).executeTakeFirst()
    if (!found?.tenant_id) return owners
    last = found.tenant_id
    for (const mode of ['live', 'sandbox'] as const)
      if (await hasRecords(db, { tenant_id: last, mode })) owners.push({ tenant_id: last, mode })
  }
}

function ofOwner(db: Database, { tenant_id, mode }: Owner) {
  return db
    .selectFrom('request_records')
    .select(['record_id', 'at'])
    .where('tenant_id', tenant_id === null ? 'is' : '=', tenant_id)
    .where('mode', '=', mode)
}

const hasRecords = async (db: Database, owner: Owner) =>
  (await ofOwner(db, owner).limit(1).executeTakeFirst()) !== undefined

async function pruneOf(
  db: Database,
  { kind, ...owner }: Owner & { kind: RequestRecordRow['kind'] },
  { before, kept, most }: { before: string; kept: number; most: number },
): Promise<number> {
  // Finding where they end costs more than deleting some.
  const own = ofOwner(db, owner).where('kind', '=', kind)
  const first = await own.orderBy('at', 'desc').orderBy('record_id', 'desc').offset(kept).limit(1).executeTakeFirst()
  const past =
    first && first.at >= before
      ? own.where((of) => of(of.refTuple('at', 'record_id'), '<=', of.tuple(first.at, first.record_id)))
      : own.where('at', '<', before)
  const some = past.clearSelect().select('record_id').orderBy('at').limit(most)
  for (let step = 1; ; step++) {
    const { numDeletedRows } = await db
      .deleteFrom('request_records')
      .where('record_id', 'in', some)
      .executeTakeFirstOrThrow()
    if (numDeletedRows < most || step === STEPS) return Number(numDeletedRows)
    await breath()
  }
}
