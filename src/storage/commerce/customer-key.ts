import type { Tenant } from '../../tenant.ts'
import { type TenantColumns, tenantColumns } from '../tenant-columns.ts'

/** A customer of one tenant. Carts and orders of any other customer count as absent. */
export interface CustomerKey extends Tenant {
  customer_id: string
}

export interface CustomerColumns extends TenantColumns {
  customer_id: string
}

export const customerColumns = ({ customer_id, ...tenant }: CustomerKey): CustomerColumns => ({
  ...tenantColumns(tenant),
  customer_id,
})
