import type { DatabaseSync } from 'node:sqlite'

/** Values that many products share, such as their categories, are stored once. An id always means the same value. */
const MAX_CACHED = 50_000

export interface SharedValueWriter {
  /** Returns the id of a value. Adds values that the file does not have yet. */
  idOf(value: unknown): number
}

export function createSharedValueWriter(database: DatabaseSync): SharedValueWriter {
  const find = database.prepare('SELECT number FROM shared_values WHERE value = ?')
  const add = database.prepare('INSERT INTO shared_values (value) VALUES (?) RETURNING number')
  const ids = new Map<string, number>()
  return {
    idOf(value) {
      const text = JSON.stringify(value)
      const known = ids.get(text)
      if (known !== undefined) return known
      const { number: id } = (find.get(text) ?? add.get(text)) as { number: number }
      if (ids.size >= MAX_CACHED) ids.clear()
      ids.set(text, id)
      return id
    },
  }
}

/** Returns the value of an id. Callers must not change it. */
export type SharedValues = <T>(id: number) => T

export function createSharedValueReader(database: DatabaseSync): SharedValues {
  const find = database.prepare('SELECT value FROM shared_values WHERE number = ?')
  const values = new Map<number, { value: unknown }>()
  return <T>(id: number): T => {
    let known = values.get(id)
    if (!known) {
      const row = find.get(id) as { value: string } | undefined
      if (!row) throw new Error('a row of the mirror file is malformed')
      known = { value: JSON.parse(row.value) }
      if (values.size >= MAX_CACHED) values.clear()
      values.set(id, known)
    }
    return known.value as T
  }
}
