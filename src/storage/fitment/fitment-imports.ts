import { createImportStore, type StoredImport } from '../imports/import-store.ts'

export interface FitmentImportCounts {
  vehicles: number
  skus: number
  /** Pairs of a SKU and a vehicle. */
  fitments: number
  universal: number
}

export type FitmentImport = StoredImport<FitmentImportCounts>

export const fitmentImports = createImportStore<FitmentImportCounts>('fitment', 'fitment_imports')
