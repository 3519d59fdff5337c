import { type Tenant, tenantKey } from '../../tenant.ts'

/** The sender of a password: anybody, or a known device or the holder of an emailed token. */
type PasswordSender = 'anybody' | 'owner'

/** Returns the group of a password for the hasher: neither other tenants nor owners wait for a flood of strangers. */
export const toHashingGroup = (tenant: Tenant, sender: PasswordSender): string => `${tenantKey(tenant)} ${sender}`
