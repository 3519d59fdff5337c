export type Mode = 'live' | 'sandbox'

export const modes: readonly Mode[] = ['live', 'sandbox']

/** One merchant in one mode. Two tenants share nothing. */
export interface Tenant {
  merchant: string
  mode: Mode
}

/** The name of a tenant in cache keys, leases and logs: "acme/live". Nothing parses it. */
export const tenantKey = ({ merchant, mode }: Tenant): string => `${merchant}/${mode}`
