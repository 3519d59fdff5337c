import { type TSchema, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { HttpClient, ResponseSchema } from '../../../src/ports/http-client.ts'
import { redactedExcerpt } from '../../../src/upstream/masked-excerpt.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { toStorable } from '../../storable.ts'
import type { OdooSettings } from '../settings.ts'
import { explainServerError, toRpcError } from './rpc-errors.ts'

/** The fields to read, with those of linked records: `{ uom_id: { fields: { name: {} } } }`. */
export type Specification = { [field: string]: { fields?: Specification } }

export interface Search {
  domain: unknown[]
  specification: Specification
  order?: string
  offset?: number
  limit?: number
  context?: Record<string, unknown>
}

export interface Found<T> {
  /** The number of matching records, up to `count_limit` where that is set. */
  length: number
  records: T[]
}

export interface Rpc {
  /** Calls a method of a model, such as `sale.order/action_confirm`, with named arguments. */
  call<T>(shape: ResponseSchema<T>, method: string, args: Record<string, unknown>, call: Call): Promise<T>
  /** Reads a page of records and their number. */
  search<T>(shape: ResponseSchema<Found<T>>, model: string, search: Search, call: Call): Promise<Found<T>>
}

export const foundShape = <S extends TSchema>(row: S) =>
  responseSchema(Type.Object({ length: Type.Integer(), records: Type.Array(row) }))

/** Returns a client of Odoo's JSON-2 API (https://www.odoo.com/documentation/19.0/developer/reference/external_api.html). */
export function createRpc(settings: OdooSettings, client: HttpClient): Rpc {
  const headers: Record<string, string> = { authorization: `bearer ${settings.api_key}` }
  if (settings.database) headers['x-odoo-database'] = settings.database
  // Without a company, Odoo answers for all companies of the user; without a time zone, with the user's days.
  const baseContext = {
    lang: settings.language ?? 'en_US',
    tz: 'UTC',
    allowed_company_ids: [settings.company ?? 1],
  }

  async function send(method: string, args: Record<string, unknown>, call: Call): Promise<unknown> {
    const { context, ...named } = args
    const body = toStorable({ ...named, context: { ...baseContext, ...(context as object | undefined) } })
    const request = { method: 'POST', path: `/json/2/${method}`, headers, body } as const
    const response = await client.send(request, call).catch((error: unknown) => {
      throw explainServerError(method, error)
    })
    if (response.status !== 200) throw toRpcError(method, response)
    return parse(method, response.text)
  }

  return {
    call: async (shape, method, args, call) => shape.parse(await send(method, args, call)),
    async search(shape, model, search, call) {
      const answer = await send(`${model}/web_search_read`, { ...search }, call)
      return shape.parse(cutToLimit(answer, search.limit))
    },
  }
}

function parse(method: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UpstreamError('invalid', `${method} did not respond with JSON: ${redactedExcerpt(text)}`)
  }
}

/** Cuts a page to the rows that were requested, before they are validated. */
function cutToLimit(answer: unknown, limit: number | undefined): unknown {
  const { records } = (answer ?? {}) as { records?: unknown }
  if (limit === undefined || !Array.isArray(records) || records.length <= limit) return answer
  return { ...(answer as object), records: records.slice(0, limit) }
}
