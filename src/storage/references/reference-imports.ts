import { createImportStore, type StoredImport } from '../imports/import-store.ts'

export interface ReferenceImportCounts {
  references: number
  skus: number
  customers: number
}

export type ReferenceImport = StoredImport<ReferenceImportCounts>

export const referenceImports = createImportStore<ReferenceImportCounts>('references', 'reference_imports')
