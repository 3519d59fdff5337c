import type { Tenant } from '../../tenant.ts'

/** Receives the SKUs that changed in a tenant's catalog, to invalidate their cached copies. `details`: more than prices or stock changed. */
export type CatalogChangeListener = (tenant: Tenant, skus: string[], what: { details: boolean }) => void

/** A product that a customer waited for is in stock again. */
export type BackInStockListener = (tenant: Tenant, notice: { customerId: string; sku: string; name: string }) => void
