import type { Mode } from '../config.ts'
import type { Database } from './database.ts'

/** Of one merchant in one mode, the newest are kept: so many, or as many as their share of all is. */
export const mostRecords = { each: 20_000, all: 200_000 } as const

interface Owner {
  tenant_id: string | null
  mode: Mode
}

/** Deletes some records of each merchant and mode that are past their time, or too many; tells how many of the one that had the most. */
export async function pruneRecords(
  db: Database,
  before: string,
  most: number,
  limits: { each: number; all: number } = mostRecords,
): Promise<number> {
  const owners = await ownersOfRecords(db)
  const share = Math.min(limits.each, Math.floor(limits.all / Math.max(1, owners.length)))
  let deleted = 0
  for (const owner of owners) deleted = Math.max(deleted, await pruneOf(db, owner, { before, share, most }))
  return deleted
}

/** By way of the index from one to the next: there may be many records, and few owners. */
async function ownersOfRecords(db: Database): Promise<Owner[]> {
  const owners: Owner[] = []
  for (const mode of ['live', 'sandbox'] as const)
    if (await ofOwner(db, { tenant_id: null, mode }).limit(1).executeTakeFirst()) owners.push({ tenant_id: null, mode })
  for (let last = ''; ; ) {
    const next = db.selectFrom('request_records').select('tenant_id').where('tenant_id', '>', last)
    const found = await next.orderBy('tenant_id').limit(1).executeTakeFirst()
    if (!found?.tenant_id) return owners
    last = found.tenant_id
    owners.push({ tenant_id: last, mode: 'live' }, { tenant_id: last, mode: 'sandbox' })
  }
}

function ofOwner(db: Database, { tenant_id, mode }: Owner) {
  return db
    .selectFrom('request_records')
    .select(['record_id', 'at'])
    .where('tenant_id', tenant_id === null ? 'is' : '=', tenant_id)
    .where('mode', '=', mode)
}

async function pruneOf(
  db: Database,
  owner: Owner,
  { before, share, most }: { before: string; share: number; most: number },
): Promise<number> {
  const newest = ofOwner(db, owner).orderBy('at', 'desc').orderBy('record_id', 'desc')
  const first = await newest.offset(share).limit(1).executeTakeFirst()
  const until = first && first.at >= before ? first.at : before
  const past = ofOwner(db, owner).where('at', first && first.at >= before ? '<=' : '<', until)
  const { numDeletedRows } = await db
    .deleteFrom('request_records')
    .where('record_id', 'in', past.clearSelect().select('record_id').orderBy('at').limit(most))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
