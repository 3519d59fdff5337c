import type { DatabaseSync } from 'node:sqlite'

/** Values that many products share, such as their categories, are stored once. A number always means the same value. */
const MAX_CACHED = 50_000

export interface SharedValueWriter {
  /** Returns the number of a value. Adds values that the file does not have yet. */
  numberOf(value: unknown): number
}

export function createSharedValueWriter(database: DatabaseSync): SharedValueWriter {
  const find = database.prepare('SELECT number FROM shared_values WHERE value = ?')
  const add = database.prepare('INSERT INTO shared_values (value) VALUES (?) RETURNING number')
  const numbers = new Map<string, number>()
  return {
    numberOf(value) {
      const text = JSON.stringify(value)
      const known = numbers.get(text)
      if (known !== undefined) return known
      const { number } = (find.get(text) ?? add.get(text)) as { number: number }
      if (numbers.size >= MAX_CACHED) numbers.clear()
      numbers.set(text, number)
      return number
    },
  }
}

/** Returns the value of a number. Callers must not change it. */
export type SharedValues = <T>(number: number) => T

export function createSharedValueReader(database: DatabaseSync): SharedValues {
  const find = database.prepare('SELECT value FROM shared_values WHERE number = ?')
  const values = new Map<number, { value: unknown }>()
  return <T>(number: number): T => {
    let known = values.get(number)
    if (!known) {
      const row = find.get(number) as { value: string } | undefined
      if (!row) throw new Error('a row of the mirror file is malformed')
      known = { value: JSON.parse(row.value) }
      if (values.size >= MAX_CACHED) values.clear()
      values.set(number, known)
    }
    return known.value as T
  }
}
