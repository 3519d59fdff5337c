import { DatabaseSync } from 'node:sqlite'
import type { Database } from '../../../src/storage/database.ts'

/** One step of a query plan, as SQLite explains it. */
export interface PlanStep {
  sql: string
  /** `SEARCH deliveries USING INDEX …`, `SCAN incidents`, `USE TEMP B-TREE FOR ORDER BY` … */
  detail: string
}

/** Runs `work` and returns the plan of each statement that it prepared. Use a new store: a statement is prepared once per store. */
export async function recordPlans(path: string, work: () => Promise<unknown>): Promise<PlanStep[]> {
  const { prepare } = DatabaseSync.prototype
  const statements = new Set<string>()
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string, ...rest: []) {
    statements.add(sql)
    return prepare.call(this, sql, ...rest)
  }
  try {
    await work()
  } finally {
    DatabaseSync.prototype.prepare = prepare
  }
  using database = new DatabaseSync(path, { readOnly: true })
  return [...statements].flatMap((sql) => {
    const steps = database.prepare(`explain query plan ${sql}`).all() as { detail: string }[]
    return steps.map(({ detail }) => ({ sql, detail }))
  })
}

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
