import type { TenantColumns } from '../tenant-columns.ts'

/** The products from which the catalog mirrors of all machines are filled. Documents are JSON. */
export interface CatalogTables {
  catalog_products: TenantColumns & {
    sku: string
    /** Increases with each change of any of the tenant's products. PostgreSQL returns it as text. */
    sequence: number | string
    /** `null`: only its price or stock was read so far. */
    product: string | null
    active: number
    /** The list price; `null`: it has none, or was not read yet. */
    price: string | null
    /** When the list price was read; `null`: it must be read. */
    priced_at: string | null
    tax: string | null
    /** The band, never a count. */
    availability: string | null
    /** From 0 to 65,535: higher comes first in searches. */
    popularity: number
    created_at: string
  }
  /** The sequence number that was given last. */
  catalog_sequences: TenantColumns & { last: number | string }
}
