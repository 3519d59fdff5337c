import { DatabaseSync } from 'node:sqlite'

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
