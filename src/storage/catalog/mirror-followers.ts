import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { tenantColumns } from '../tenant-columns.ts'

/** How far a process has followed the catalog of a tenant. */
export interface MirrorFollowerRow {
  follower: string
  sequence: number
  /** Changes with each report. */
  beat: number
}

/** No later beat is equal to it. */
const FIRST_BEAT = 0

/** Records how far this process is, and that it is alive. Returns whether it was recorded before. */
export async function reportMirrorFollower(
  db: Database,
  tenant: Tenant,
  follower: string,
  sequence: number,
): Promise<boolean> {
  const { beat } = await db
    .insertInto('mirror_followers')
    .values({ ...tenantColumns(tenant), follower, sequence, beat: FIRST_BEAT })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'mode', 'follower'])
        .doUpdateSet({ sequence, beat: sql<number>`mirror_followers.beat % 1000000 + 1` }),
    )
    .returning('beat')
    .executeTakeFirstOrThrow()
  return beat !== FIRST_BEAT
}

export async function listMirrorFollowers(db: Database, { merchant, mode }: Tenant): Promise<MirrorFollowerRow[]> {
  const rows = await db
    .selectFrom('mirror_followers')
    .select(['follower', 'sequence', 'beat'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .execute()
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }))
}

export async function deleteMirrorFollowers(
  db: Database,
  { merchant, mode }: Tenant,
  followers: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('mirror_followers')
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('follower', 'in', followers)
    .execute()
}
