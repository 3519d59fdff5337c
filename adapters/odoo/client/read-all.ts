import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { ResponseSchema } from '../../../src/ports/http-client.ts'
import type { Found, Rpc, Search } from './rpc.ts'

/** More records, or more changes, fail with 'overloaded'. */
export const MAX_RECORDS = 200_000
const PAGE_SIZE = 10_000

/** Reads all records of a domain by id, in pages that stay below the limit of a response. */
export async function readAll<T extends { id: number }>(
  rpc: Pick<Rpc, 'search'>,
  shape: ResponseSchema<Found<T>>,
  model: string,
  { domain, specification }: Pick<Search, 'domain' | 'specification'>,
  call: Call,
): Promise<T[]> {
  const rows: T[] = []
  for (let last = 0; ; last = rows.at(-1)!.id) {
    const search = { domain: [...domain, ['id', '>', last]], specification, order: 'id', limit: PAGE_SIZE }
    const { records } = await rpc.search(shape, model, search, call)
    rows.push(...records)
    if (rows.length > MAX_RECORDS) throw new UpstreamError('overloaded', `over ${MAX_RECORDS} records of ${model}`)
    if (records.length < PAGE_SIZE) return rows
  }
}
