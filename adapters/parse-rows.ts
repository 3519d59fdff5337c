import { UpstreamError } from '../src/errors.ts'
import type { ResponseSchema } from '../src/ports/http-client.ts'

/**
 * Parses and maps rows one by one. An invalid row is left out, so that it does not fail the rest of its batch. Throws
 * 'invalid' when every row is invalid.
 */
export function parseRows<Row, T>(rows: readonly unknown[], schema: ResponseSchema<Row>, map: (row: Row) => T): T[] {
  const parsed: T[] = []
  let firstError: UpstreamError | undefined
  for (const value of rows) {
    try {
      parsed.push(map(schema.parse(value)))
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      firstError ??= error
    }
  }
  if (firstError && parsed.length === 0) throw firstError
  return parsed
}
