import {
  findReplacement,
  listSharedNumbers,
  relateReferences,
  toReference,
} from '../../catalog/mirror/read/relate-references.ts'
import type { NumberMatch, ReferencePort } from '../../ports/reference.ts'
import type { Database } from '../../storage/database.ts'
import { referenceImports } from '../../storage/references/reference-imports.ts'
import {
  listReferencesAround,
  listReferencesByNumber,
  listReferencesBySkuKey,
  listSharedReferences,
  listSkusByKey,
  listSkusWithReferences,
  type ReferenceRow,
} from '../../storage/references/reference-queries.ts'
import type { Tenant } from '../../tenant.ts'

/** The references that `forecourt references import` stored for a tenant. */
export function createImportedReferencePort(db: Database, tenant: Tenant): ReferencePort {
  return {
    currentImport: async () => (await referenceImports.findCurrent(db, tenant))?.import_id ?? 0,
    async ofSku(importId, sku, customerId) {
      const rows = await listReferencesAround(db, importId, sku, customerId)
      const own = rows.filter((row) => row.sku === sku)
      const naming = rows.filter((row) => row.sku !== sku)
      const replacement = findReplacement({ own, naming })
      const successors = replacement ? await listSkusByKey(db, importId, replacement.number_key) : []
      const shared = await listRowsWithSameNumbers(db, importId, own)
      return relateReferences(sku, { own, naming, successors, ...shared })
    },
    byNumber: (importId, number, customerId) => listMatches(db, importId, number, customerId),
  }
}

async function listRowsWithSameNumbers(db: Database, importId: number, own: readonly ReferenceRow[]) {
  const numbers = listSharedNumbers(own)
  const [sharing, namedSkus] = await Promise.all([
    listSharedReferences(db, importId, [...new Set(numbers.map(({ number_key }) => number_key))]),
    listSkusWithReferences(db, importId, [...new Set(numbers.map(({ number }) => number))]),
  ])
  return { sharing, namedSkus }
}

async function listMatches(
  db: Database,
  importId: number,
  number: string,
  customerId: string | null,
): Promise<NumberMatch[]> {
  const [skus, replaced, own, everybody] = await Promise.all([
    listSkusByKey(db, importId, number),
    listReferencesBySkuKey(db, importId, number, 'SUPERSEDED_BY'),
    customerId === null ? [] : listReferencesByNumber(db, importId, number, customerId),
    listReferencesByNumber(db, importId, number, ''),
  ])
  return [
    ...skus.map((sku): NumberMatch => ({ sku, kind: 'SKU', brand: null, number: sku })),
    ...[...own, ...everybody].map((row) => ({ sku: row.sku, ...toReference(row) })),
    ...replaced.map((row): NumberMatch => ({ sku: row.number, kind: 'SUPERSEDES', brand: null, number: row.sku })),
  ]
}
