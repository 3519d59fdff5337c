import { type Static, type TSchema, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { ResponseSchema } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { ChangePage, ChangeQuery } from '../../src/ports/change-feed.ts'
import { responseSchema } from '../../src/upstream/response-schema.ts'
import { parseRows } from '../parse-rows.ts'
import { type ProtocolClient, UnknownRows } from './protocol.ts'

const Page = responseSchema(Type.Object({ data: UnknownRows, has_more: Type.Boolean() }))

/** What the protocol promises: a change is to be seen that long after its time, at the latest. */
export const WATERMARK_OVERLAP_SECONDS = 5

/** A port's method over one feed of the protocol. `map` answers `null` for a row that is none of ours. */
export function createChangeFeed<S extends TSchema, T>(
  wire: ProtocolClient,
  path: string,
  schema: S,
  map: (row: Static<S>) => T | null,
) {
  const row = responseSchema(schema)
  return async ({ since, limit, offset }: ChangeQuery, call: Call): Promise<ChangePage<T>> => {
    const page = await wire.jsonOrNull(Page, { method: 'GET', path, query: { since, limit, offset } }, call)
    // A back office of before this part of the protocol is not ill.
    if (!page) throw new UpstreamError('not_configured', `GET ${path} answered 404: it keeps no such feed`)
    return {
      changes: page.data.slice(0, limit).flatMap((one) => readOne(one, row, map)),
      has_more: page.has_more || page.data.length > limit,
    }
  }
}

/** A feed comes by its newest rows at every turn: one that cannot be read must not stop it for good, though it be alone. */
function readOne<Row, T>(one: unknown, row: ResponseSchema<Row>, map: (row: Row) => T | null): T[] {
  try {
    return parseRows([one], row, map).filter((read) => read !== null)
  } catch (error) {
    if (error instanceof UpstreamError) return []
    throw error
  }
}
