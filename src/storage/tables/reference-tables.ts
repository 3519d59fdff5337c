import type { ReferenceKind } from '../../ports/reference.ts'
import type { ImportRow } from './import-tables.ts'

/** Imported numbers and descriptions of products. */
export interface ReferenceTables {
  reference_imports: ImportRow
  product_references: {
    import_id: number
    sku: string
    /** The `_key` columns are for searching: upper case, letters and digits only. */
    sku_key: string
    kind: ReferenceKind
    /** Empty: none. */
    brand: string
    brand_key: string
    number: string
    number_key: string
    /** The customer whose number it is; empty for all other kinds. */
    customer_id: string
  }
  product_descriptions: { import_id: number; sku: string; description: string }
}
