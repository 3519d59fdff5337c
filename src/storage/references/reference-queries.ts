import { type RawBuilder, type Selectable, sql } from 'kysely'
import { normalizeNumber } from '../../ports/normalize-number.ts'
import type { ReferenceKind } from '../../ports/reference.ts'
import type { Database } from '../database.ts'
import { replaceNul } from '../replace-nul.ts'
import type { Tables } from '../tables.ts'

export type ReferenceRow = Pick<
  Selectable<Tables['product_references']>,
  'sku' | 'kind' | 'brand' | 'brand_key' | 'number' | 'number_key'
>

const COLUMNS = sql`sku, kind, brand, brand_key, number, number_key`
/** A page that lists more numbers than this helps nobody. */
const MAX_REFERENCES = 200
const MAX_NAMING_ROWS = 25
const MAX_SHARED_ROWS = 12
const MAX_MATCHES = 50

/**
 * Returns the references of a SKU (the public ones, and with a customer also that customer's), and those of other SKUs that name it:
 * one statement, because every product page needs it.
 */
export async function listReferencesAround(
  db: Database,
  importId: number,
  sku: string,
  customerId: string | null,
): Promise<ReferenceRow[]> {
  const [ownSku, numberKey] = [replaceNul(sku), normalizeNumber(sku)]
  const customers = customerId === null ? [''] : ['', replaceNul(customerId)]
  const own = sql<ReferenceRow>`select * from (select ${COLUMNS} from product_references
    where import_id = ${importId} and sku = ${ownSku} and customer_id in (${sql.join(customers)})
    order by kind, number_key, brand_key limit ${MAX_REFERENCES}) as own`
  const naming = sql<ReferenceRow>`select * from (select ${COLUMNS} from product_references
    where import_id = ${importId} and number_key = ${numberKey} and customer_id = '' and sku <> ${ownSku}
    order by sku limit ${MAX_NAMING_ROWS}) as naming`
  return unionAll(db, [own, naming])
}

/** Returns the first public references with each of these numbers, of any product. */
export async function listSharedReferences(
  db: Database,
  importId: number,
  numberKeys: readonly string[],
): Promise<ReferenceRow[]> {
  const selects = numberKeys.map((key) => selectByNumber(importId, key, '', MAX_SHARED_ROWS))
  return selects.length === 0 ? [] : unionAll(db, selects)
}

/** Returns those of these SKUs that have references. */
export async function listSkusWithReferences(
  db: Database,
  importId: number,
  skus: readonly string[],
): Promise<string[]> {
  if (skus.length === 0) return []
  const rows = await db
    .selectFrom('product_references')
    .select('sku')
    .distinct()
    .where('import_id', '=', importId)
    .where('sku', 'in', skus)
    .execute()
  return rows.map(({ sku }) => sku)
}

/** Returns the references with a number: the public ones, or one customer's own. */
export async function listReferencesByNumber(
  db: Database,
  importId: number,
  numberKey: string,
  customerId: string,
): Promise<ReferenceRow[]> {
  return unionAll(db, [selectByNumber(importId, numberKey, replaceNul(customerId), MAX_MATCHES)])
}

/** Returns the SKUs that are written like this number, whatever their punctuation and case. */
export async function listSkusByKey(db: Database, importId: number, skuKey: string): Promise<string[]> {
  const rows = await db
    .selectFrom('product_references')
    .select('sku')
    .distinct()
    .where('import_id', '=', importId)
    .where('sku_key', '=', skuKey)
    .limit(MAX_MATCHES)
    .execute()
  return rows.map(({ sku }) => sku)
}

/** Returns the references of one kind of the SKUs that are written like this number. */
export async function listReferencesBySkuKey(
  db: Database,
  importId: number,
  skuKey: string,
  kind: ReferenceKind,
): Promise<ReferenceRow[]> {
  return db
    .selectFrom('product_references')
    .select(['sku', 'kind', 'brand', 'brand_key', 'number', 'number_key'])
    .where('import_id', '=', importId)
    .where('sku_key', '=', skuKey)
    .where('kind', '=', kind)
    .orderBy('sku')
    .limit(MAX_MATCHES)
    .execute()
}

const selectByNumber = (importId: number, numberKey: string, customerId: string, limit: number) =>
  sql<ReferenceRow>`select * from (select ${COLUMNS} from product_references
    where import_id = ${importId} and number_key = ${numberKey} and customer_id = ${customerId}
    order by sku limit ${limit}) as numbered`

async function unionAll(db: Database, selects: readonly RawBuilder<ReferenceRow>[]): Promise<ReferenceRow[]> {
  return (await sql<ReferenceRow>`${sql.join(selects, sql` union all `)}`.execute(db)).rows
}
