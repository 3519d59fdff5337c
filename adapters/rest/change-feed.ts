import { type Static, type TSchema, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { Call } from '../../src/ports/call.ts'
import type { ChangePage, ChangeQuery } from '../../src/ports/change-feed.ts'
import type { ResponseSchema } from '../../src/ports/http-client.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { parseRows } from '../parse-rows.ts'
import { isNotOffered, type ProtocolClient } from './protocol-client.ts'
import { nullish, UnknownRows } from './protocol-values.ts'

const Page = responseSchema(
  Type.Object({ data: UnknownRows, has_more: Type.Boolean(), next_cursor: nullish(Type.String({ minLength: 1 })) }),
)

/** The protocol guarantees that a change is visible at most this long after its timestamp. */
export const WATERMARK_OVERLAP_SECONDS = 5

/** Creates a change feed of a port from one feed of the protocol. `map` returns `null` for a row that is not part of the feed. */
export function createChangeFeed<S extends TSchema, T>(
  wire: ProtocolClient,
  path: string,
  schema: S,
  map: (row: Static<S>) => T | null,
) {
  const row = responseSchema(schema)
  return async ({ since, limit, offset, cursor }: ChangeQuery, call: Call): Promise<ChangePage<T>> => {
    const query = cursor === undefined ? { since, limit, offset } : { since, limit, cursor }
    const request = { method: 'GET', path, query, rows: limit, isNotFound: isNotOffered } as const
    const page = await wire.jsonOrNull(Page, request, call)
    // An older back office without this feed has not failed.
    if (!page)
      throw new UpstreamError('not_configured', `GET ${path} responded 404: the system does not have this feed`)
    return {
      changes: page.data.slice(0, limit).flatMap((one) => readOne(one, row, map)),
      has_more: page.has_more || page.data.length > limit,
      ...(page.next_cursor && page.data.length <= limit && { next_cursor: page.next_cursor }),
    }
  }
}

/** Parses one row. The newest rows come back with every poll, so a feed must get past an invalid row, even when it is the only one. */
function readOne<Row, T>(one: unknown, row: ResponseSchema<Row>, map: (row: Row) => T | null): T[] {
  try {
    return parseRows([one], row, map).filter((read) => read !== null)
  } catch (error) {
    if (error instanceof UpstreamError) return []
    throw error
  }
}
