import { type TSchema, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { HttpClient, ResponseSchema } from '../../../src/ports/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { stripUnstorableCharacters } from '../../strip-unstorable-characters.ts'
import { DEFAULT_LANGUAGE, type OdooSettings } from '../settings.ts'
import { createJson2 } from './json2.ts'
import { createJsonRpc } from './jsonrpc.ts'
import { majorVersion, readVersion } from './odoo-version.ts'
import { createOlderOdooTranslation } from './older-odoo-translation.ts'
import { isUnknownDatabase } from './rpc-errors.ts'
import { unknownDatabaseError } from './setting-error.ts'

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
  /** Returns false if a call has shown that the server is older than Odoo 19. */
  hasJson2(): boolean
}

export const foundShape = <S extends TSchema>(row: S) =>
  responseSchema(Type.Object({ length: Type.Integer(), records: Type.Array(row) }))

/** Sends a call to Odoo and returns its response. `ids` among the arguments are the records that the method is called on. */
export type SendToOdoo = (method: string, args: Record<string, unknown>, call: Call) => Promise<unknown>

/** The first version with JSON-2. */
export const FIRST_JSON2_VERSION = 19
/** How long an older version is remembered. After that, the server may have been updated. */
const VERSION_MAX_AGE_MS = 600_000

/** Returns a client of Odoo's API: JSON-2, or the API of older versions if the server has no JSON-2. */
export function createRpc(settings: OdooSettings, client: HttpClient, nowMs = () => performance.now()): Rpc {
  const { sendToAny, hasJson2 } = createSend(settings, client, nowMs)
  // Without a company, Odoo responds for all companies of the user; without a time zone, with the user's days.
  const baseContext = {
    lang: settings.language ?? DEFAULT_LANGUAGE,
    tz: 'UTC',
    allowed_company_ids: [settings.company ?? 1],
  }
  const send: SendToOdoo = (method, { context, ...named }, call) => {
    const args = stripUnstorableCharacters({
      ...named,
      context: { ...baseContext, ...(context as object | undefined) },
    })
    return sendToAny(method, args, call)
  }

  return {
    hasJson2,
    call: async (shape, method, args, call) => shape.parse(await send(method, args, call)),
    async search(shape, model, search, call) {
      const answer = await send(`${model}/web_search_read`, { ...search }, call)
      return shape.parse(cutToLimit(answer, search.limit))
    },
  }
}

/** A server without JSON-2 is asked for its version, and from then on called as an older one. */
function createSend(settings: OdooSettings, client: HttpClient, nowMs: () => number) {
  const json2 = createJson2(settings, client)
  const readMajorVersion = createCachedTableLoader(async (call) => majorVersion(await readVersion(client, call)), {
    maxAgeMs: VERSION_MAX_AGE_MS,
    now: nowMs,
  })
  const older = createOlderOdooTranslation(createJsonRpc(settings, client), readMajorVersion)
  let hasJson2 = true
  const sendToAny: SendToOdoo = async (method, args, call) => {
    if (!hasJson2) hasJson2 = (await readMajorVersion(call)) >= FIRST_JSON2_VERSION
    if (!hasJson2) return older(method, args, call)
    try {
      return await json2(method, args, call)
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.failure !== 'invalid') throw error
      const version = await readMajorVersion(call).catch((probeError: unknown) => {
        // The server could not be reached, so it may still be Odoo: the caller may try again.
        throw isUnreachable(probeError) ? probeError : error
      })
      if (version >= FIRST_JSON2_VERSION)
        throw isUnknownDatabase(error) ? unknownDatabaseError(settings.database, error) : error
      hasJson2 = false
      return older(method, args, call)
    }
  }
  return { sendToAny, hasJson2: () => hasJson2 }
}

const isUnreachable = (error: unknown) =>
  !(error instanceof UpstreamError) || ['unavailable', 'timeout', 'aborted'].includes(error.failure)

/** Cuts a page to the rows that were requested, before they are validated. */
function cutToLimit(answer: unknown, limit: number | undefined): unknown {
  const { records } = (answer ?? {}) as { records?: unknown }
  if (limit === undefined || !Array.isArray(records) || records.length <= limit) return answer
  return { ...(answer as object), records: records.slice(0, limit) }
}
