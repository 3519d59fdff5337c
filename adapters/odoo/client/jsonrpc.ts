import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import type { OdooSettings } from '../settings.ts'
import { parseJson } from './parse-json.ts'
import type { SendToOdoo } from './rpc.ts'
import { explainServerError, isUnknownDatabase, toFaultError, toRpcError } from './rpc-errors.ts'
import { settingError, unknownDatabaseError } from './setting-error.ts'

const Envelope = responseSchema(
  Type.Object({
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(Type.Object({ data: Type.Object({ name: Type.String(), message: Type.String() }) })),
  }),
)
const Version = responseSchema(Type.Object({ server_serie: Type.String({ pattern: '^(saas~)?\\d+\\.\\d+' }) }))
const Databases = responseSchema(Type.Array(Type.String()))
const UserId = responseSchema(Type.Union([Type.Integer({ minimum: 1 }), Type.Literal(false)]))

/** The argument of a method that models name differently, so that it is given by position. */
const VALUES: Record<string, string> = { create: 'vals_list', write: 'vals' }

/** Calls a function of one of Odoo's services. A `null` has no `result` in the response. */
async function callService(
  client: HttpClient,
  service: string,
  method: string,
  args: unknown[],
  title: string,
  call: Call,
) {
  const body = { jsonrpc: '2.0', method: 'call', id: 1, params: { service, method, args } }
  const response = await client.send({ method: 'POST', path: '/jsonrpc', body }, call).catch((error: unknown) => {
    throw explainServerError(title, error)
  })
  if (response.status !== 200) throw toRpcError(title, response)
  const { result, error } = Envelope.parse(parseJson(title, response.text))
  if (error) throw toFaultError(title, error.data)
  return result ?? null
}

/** Reads the version of an Odoo server, such as `18.0`. It needs no key. */
export async function readVersion(client: HttpClient, call: Call): Promise<string> {
  return Version.parse(await callService(client, 'common', 'version', [], 'version', call)).server_serie
}

/** Lists the databases of an Odoo server; `null` if it does not tell. It needs no key. */
export async function listDatabases(client: HttpClient, call: Call): Promise<string[] | null> {
  try {
    return Databases.parse(await callService(client, 'db', 'list', [], 'list', call))
  } catch (error) {
    if (error instanceof UpstreamError) return null
    throw error
  }
}

/** Returns the number of a version: 18 for `18.0` and for `saas~18.2`. */
export const majorVersion = (version: string): number => Number.parseInt(version.replace('saas~', ''), 10)

/** Returns a client of `/jsonrpc`, the API of Odoo before version 19 (https://www.odoo.com/documentation/18.0/developer/reference/external_api.html). */
export function createJsonRpc({ database, user, api_key }: OdooSettings, client: HttpClient): SendToOdoo {
  const readUserId = createCachedTableLoader(
    async (call) => {
      const args = [database, user, api_key, {}]
      const answer = await callService(client, 'common', 'authenticate', args, 'authenticate', call).catch(
        (error: unknown) => {
          throw isUnknownDatabase(error) ? unknownDatabaseError(database, error) : error
        },
      )
      const id = UserId.parse(answer)
      if (id !== false) return id
      throw new UpstreamError(
        'unauthorized',
        'authenticate: the user, the database or the API key is wrong, or the key has ended',
      )
    },
    // The id of a user never changes.
    { maxAgeMs: Number.POSITIVE_INFINITY, now: () => 0 },
  )
  return async (method, { ids, ...named }, call) => {
    if (!database || !user) throw settingError('Odoo 18 and below need the settings database and user')
    const [model, name] = method.split('/')
    const { [VALUES[name!] ?? '']: values, ...keywords } = named
    const positional = [ids, values].filter((value) => value !== undefined)
    const args = [database, await readUserId(call), api_key, model, name, positional, keywords]
    return callService(client, 'object', 'execute_kw', args, method, call)
  }
}
