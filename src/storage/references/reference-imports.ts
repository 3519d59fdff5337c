import { createImportStore, type StoredImport } from '../imports/import-store.ts'

export interface ReferenceImportCounts {
  references: number
  skus: number
  customers: number
  /** Absent in imports of earlier releases. */
  descriptions?: number
}

export type ReferenceImport = StoredImport<ReferenceImportCounts>

export const referenceImports = createImportStore<ReferenceImportCounts>('references', 'reference_imports')
