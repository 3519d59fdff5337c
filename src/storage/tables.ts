import type { CatalogTables } from './tables/catalog-tables.ts'
import type { ChangeTables } from './tables/change-tables.ts'
import type { CommerceTables } from './tables/commerce-tables.ts'
import type { CoordinationTables } from './tables/coordination-tables.ts'
import type { DiagnosticsTables } from './tables/diagnostics-tables.ts'
import type { FitmentTables } from './tables/fitment-tables.ts'
import type { KeyTables } from './tables/key-tables.ts'
import type { OperatorTables } from './tables/operator-tables.ts'
import type { ReferenceTables } from './tables/reference-tables.ts'
import type { ShopperTables } from './tables/shopper-tables.ts'
import type { WebhookTables } from './tables/webhook-tables.ts'

/**
 * The rows as they are stored, in SQLite and PostgreSQL alike. Times are RFC 3339 UTC text with milliseconds (so that they sort),
 * lists and documents are JSON text, secrets are SHA-256 digests in hex, amounts are decimal text.
 */
export interface Tables
  extends KeyTables,
    ShopperTables,
    CommerceTables,
    WebhookTables,
    ChangeTables,
    FitmentTables,
    CatalogTables,
    ReferenceTables,
    OperatorTables,
    DiagnosticsTables,
    CoordinationTables {}
