import type { Generated } from 'kysely'
import type { TenantColumns } from '../tenant-columns.ts'

/** The products from which the catalog mirrors of all machines are filled. Documents are JSON. */
export interface CatalogTables {
  catalog_products: TenantColumns & {
    sku: string
    /** See {@link CatalogTables.catalog_sequences}. PostgreSQL returns it as text. */
    sequence: number | string
    /** `null`: only other parts of it were read so far. */
    product: string | null
    /** Its number in the order in which products were added; `null`: it has no product data, or an older release has added it. */
    ordinal: Generated<number | null>
    active: number
    /** The list price; JSON `null`: it has none; NULL: not read yet. */
    price: string | null
    /** When the list price was read last; `null`: it must be read. Does not reach the mirrors. */
    priced_at: string | null
    /** RFC 3339: the price was current then; `null`: it is as current as the tenant's prices. */
    price_as_of: string | null
    /** JSON `null`: it has none; NULL: not read yet. */
    tax: string | null
    /** When the tax was read last; `null`: it must be read. Does not reach the mirrors. */
    taxed_at: string | null
    /** The band, never a count. JSON `null`: the inventory has no stock of it; NULL: not read yet. */
    availability: string | null
    /** RFC 3339: the band was current then; `null`: it is as current as the tenant's stock. */
    stock_as_of: string | null
    /** Its references: `ProductNumber[]`. */
    numbers: string | null
    /** Its imported description, for the mirrors: it stands where the inventory has none. */
    description: Generated<string | null>
    /** The vehicles that it fits: a `ProductFitment`. */
    fitment: string | null
    /** When a system was last asked for its fitment; `null`: it must be asked. Does not reach the mirrors. */
    fitment_read_at: string | null
    /** From 0 to 65,535: higher comes first in searches. */
    popularity: number
    /** The sequence number of the last change of `popularity`, `price_as_of` or `stock_as_of` alone, which `sequence` does not count. */
    popularity_sequence: Generated<number | string | null>
    /** RFC 3339: the inventory has not returned it since. Does not reach the mirrors. */
    missing_since: string | null
    created_at: string
  }
  /** How many confirmed orders of a week contain a product. Weeks are counted since the epoch. */
  product_sales: TenantColumns & { sku: string; week: number; orders: number }
  /** The walk over all products of a tenant, which looks for deleted ones. */
  catalog_walks: TenantColumns & {
    /** YYYY-MM-DD where the merchant is: the day on which the last walk began. */
    began_on: string | null
    /** The SKU that was read last; `null`: no walk is under way. */
    position: string | null
    ended_at: string | null
    /** An operator has accepted the deletion of what was missing then. */
    accepted_at: string | null
  }
  /**
   * The sequence number that was given last. It is the time of the change in microseconds since the epoch, or one more than the number
   * before it, so that no two changes have the same number and none has a lower number than an earlier change.
   */
  catalog_sequences: TenantColumns & {
    last: number | string
    /** The ordinal that was given last. */
    products: Generated<number>
  }
  /** The documents that are mirrored as a whole: `categories` and `tags`. */
  catalog_documents: TenantColumns & { name: string; document: string; sequence: number | string }
  /** `vehicle` is `null` when it no longer exists. */
  catalog_vehicles: TenantColumns & { vehicle_id: number; vehicle: string | null; sequence: number | string }
  /** How far a source was copied into `catalog_products` and `catalog_vehicles`. */
  catalog_copies: TenantColumns & {
    /** What is copied: `references` or `fitment`. */
    name: string
    /** The import that is copied, or the kind of another source. */
    source: string
    /** Where the copy continues; `null`: it is complete. */
    position: string | null
  }
  /** How current each part of a tenant's catalog is. Times are RFC 3339, UTC. */
  catalog_parts: TenantColumns & {
    name: string
    /** The part was equal to the system's then. */
    as_of: string | null
    /** When all of it had been read once; `null`: it is still being read. */
    filled_at: string | null
    /** Why the last read failed; `null`: it succeeded. */
    failure: string | null
    failing_since: string | null
    /** The kind, start and end of the latest period of failed reads that has ended; `null` if none is known. */
    ended_failure: string | null
    ended_failure_from: string | null
    ended_failure_until: string | null
  }
  /** The processes that have the catalog in a mirror. A row whose `beat` no longer changes belongs to a process that has ended. */
  mirror_followers: TenantColumns & {
    follower: string
    /** Its mirror and its caches have all changes up to this sequence number. */
    sequence: number | string
    beat: number
  }
}
