import type { Database } from '../../../src/storage/database.ts'

/** A call of a storage function with each combination of parameters that changes its statement. */
export type QueryCalls = Record<string, (db: Database) => Promise<unknown>[]>

export const at = '2026-01-01T00:00:00.000Z'
export const tenant = { merchant: 'acme', mode: 'sandbox' as const }
export const tenantRow = { tenant_id: 'acme', mode: 'sandbox' as const }

/** Returns each combination of the optional parameters, from none to all. */
export function combinations<T extends object>(parameters: T): Partial<T>[] {
  let all: Partial<T>[] = [{}]
  for (const [name, value] of Object.entries(parameters))
    all = all.concat(all.map((some) => ({ ...some, [name]: value })))
  return all
}
