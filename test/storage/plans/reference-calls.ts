import * as pruning from '../../../src/storage/imports/prune-imports.ts'
import * as copyRows from '../../../src/storage/references/imported-reference-copy-queries.ts'
import * as importRows from '../../../src/storage/references/insert-reference-and-description-rows.ts'
import * as exportRows from '../../../src/storage/references/reference-export-queries.ts'
import { referenceImports } from '../../../src/storage/references/reference-imports.ts'
import * as queries from '../../../src/storage/references/reference-queries.ts'
import { type QueryCalls, tenant } from './query-combinations.ts'

const position = { sku: 'A', kind: 'OEM', number_key: '1', brand_key: '', customer_id: '' } as const
const row = { ...position, import_id: 1, sku_key: 'A', brand: '', number: '1' }

export const referenceModules = [queries, exportRows, importRows, copyRows, pruning]

/** Calls each function that queries references, and the deletion of imports. */
export const referenceCalls: QueryCalls = {
  findCurrentReferenceImport: (db) => [referenceImports.findCurrent(db, tenant)],
  insertReferenceRows: (db) => [importRows.insertReferenceRows(db, [row])],
  insertDescriptionRows: (db) => [importRows.insertDescriptionRows(db, [{ import_id: 1, sku: 'A', description: '' }])],
  pruneImports: (db) => pruning.prunedImports.map((imports) => pruning.pruneImports(db, imports, 0, 9)),
  listReferencesAfterSku: (db) => [copyRows.listReferencesAfterSku(db, 1, 'A', 9)],
  listDescriptionsAfterSku: (db) => [copyRows.listDescriptionsAfterSku(db, 1, 'A', 9)],
  listSkusWithDescription: (db) => [copyRows.listSkusWithDescription(db, 1, ['A', 'B'])],
  listReferenceExportRowsAfter: (db) =>
    [null, position].map((after) => exportRows.listReferenceExportRowsAfter(db, 1, after, 9)),
  listReferencesAround: (db) => [null, 'C-1'].map((customer) => queries.listReferencesAround(db, 1, 'A', customer)),
  listSharedReferences: (db) => [queries.listSharedReferences(db, 1, ['1', '2'])],
  listSkusWithReferences: (db) => [queries.listSkusWithReferences(db, 1, ['A', 'B'])],
  listReferencesByNumber: (db) => [queries.listReferencesByNumber(db, 1, '1', 'C-1')],
  listSkusByKey: (db) => [queries.listSkusByKey(db, 1, 'A')],
  listReferencesBySkuKey: (db) => [queries.listReferencesBySkuKey(db, 1, 'A', 'SUPERSEDED_BY')],
}
