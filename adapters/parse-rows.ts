import { UpstreamError } from '../src/errors.ts'
import type { ResponseSchema } from '../src/ports/adapter.ts'

/**
 * Rows judged one by one, and mapped: one that does not fit is left out, so that it costs only itself and not the others of its batch.
 * Where there are rows and none fits, the answer is 'invalid'.
 */
export function parseRows<Row, T>(rows: readonly unknown[], row: ResponseSchema<Row>, map: (row: Row) => T): T[] {
  const read: T[] = []
  let misfit: UpstreamError | undefined
  for (const one of rows) {
    try {
      read.push(map(row.parse(one)))
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      misfit ??= error
    }
  }
  if (misfit && read.length === 0) throw misfit
  return read
}
