import type { Mode, Tenant } from '../tenant.ts'

/** The columns that name the tenant of a row. */
export interface TenantColumns {
  tenant_id: string
  mode: Mode
}

export const tenantColumns = ({ merchant, mode }: Tenant): TenantColumns => ({ tenant_id: merchant, mode })

export const tenantOf = ({ tenant_id, mode }: TenantColumns): Tenant => ({ merchant: tenant_id, mode })
