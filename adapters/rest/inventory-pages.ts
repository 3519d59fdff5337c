import { Type } from 'typebox'
import type { ResponseSchema } from '../../src/ports/http-client.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { parseRows } from '../parse-rows.ts'
import { nullish, UnknownRows } from './protocol-values.ts'

/** The members of a page beside its rows. */
export const pagingFields = { total: nullish(Type.Integer({ minimum: 0 })), has_more: Type.Boolean() }

export const ListShape = responseSchema(Type.Object({ data: UnknownRows }))

/** Cuts a page to its limit, so that pages do not overlap when a system ignores `limit`. */
export function toPage<Row, T>(
  response: { data: unknown[]; total?: number | null; has_more: boolean },
  limit: number,
  row: ResponseSchema<Row>,
  map: (row: Row) => T,
) {
  const items = parseRows(response.data.slice(0, limit), row, map)
  return { items, total: response.total ?? null, has_more: response.has_more || response.data.length > limit }
}
