import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

export type AbsentPart = 'price' | 'tax' | 'availability'

/** What a system does not have of a product that was read. */
export interface AbsentParts {
  parts: AbsentPart[]
  /** Milliseconds since the epoch: anything of the product changed last. The parts are absent since then at the latest. */
  changedAt: number
}

const MICROSECONDS_PER_MS = 1_000

/** Returns what the systems do not have of a product; `null`: the product was not read. */
export async function findAbsentParts(
  db: Database,
  { merchant, mode }: Tenant,
  sku: string,
): Promise<AbsentParts | null> {
  const row = await db
    .selectFrom('catalog_products')
    .select(['sequence', 'price', 'tax', 'availability'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('sku', '=', sku)
    .executeTakeFirst()
  if (!row) return null
  const parts = (['price', 'tax', 'availability'] as const).filter((part) => row[part] === 'null')
  return { parts, changedAt: Math.floor(Number(row.sequence) / MICROSECONDS_PER_MS) }
}
