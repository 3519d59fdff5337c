import { type Static, type TSchema, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { Shape } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { ChangePage, ChangeQuery } from '../../src/ports/change-feed.ts'
import { shape } from '../../src/upstream/response-schema.ts'
import { readable } from '../parse-rows.ts'
import { Rows, type Wire } from './protocol.ts'

const Page = shape(Type.Object({ data: Rows, has_more: Type.Boolean() }))

/** What the protocol promises: a change is to be seen that long after its time, at the latest. */
export const OVERLAP_SECONDS = 5

/** A port's method over one feed of the protocol. `map` answers `null` for a row that is none of ours. */
export function feed<S extends TSchema, T>(wire: Wire, path: string, schema: S, map: (row: Static<S>) => T | null) {
  const row = shape(schema)
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
function readOne<Row, T>(one: unknown, row: Shape<Row>, map: (row: Row) => T | null): T[] {
  try {
    return readable([one], row, map).filter((read) => read !== null)
  } catch (error) {
    if (error instanceof UpstreamError) return []
    throw error
  }
}
