import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/** Inserts rows into a table, many at once, because calling a statement costs as much as inserting a row. */
export interface RowInserter {
  add(...row: SQLInputValue[]): void
  /** Inserts the rows that were added and are not in the table yet. */
  flush(): void
}

const ROWS = 64

/** `columns`: the number of columns of the table. */
export function createRowInserter(database: DatabaseSync, table: string, columns: number): RowInserter {
  const prepare = (rows: number) => {
    const row = `(${Array(columns).fill('?').join()})`
    return database.prepare(`INSERT INTO ${table} VALUES ${Array(rows).fill(row).join()}`)
  }
  const insert = prepare(ROWS)
  let values: SQLInputValue[] = []

  return {
    add(...row) {
      values.push(...row)
      if (values.length < ROWS * columns) return
      insert.run(...values)
      values = []
    },
    flush() {
      if (values.length > 0) prepare(values.length / columns).run(...values)
      values = []
    },
  }
}
