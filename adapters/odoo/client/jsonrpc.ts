import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import type { OdooSettings } from '../settings.ts'
import { callService } from './call-service.ts'
import type { SendToOdoo } from './rpc.ts'
import { isUnknownDatabase } from './rpc-errors.ts'
import { settingError, unknownDatabaseError } from './setting-error.ts'

const UserId = responseSchema(Type.Union([Type.Integer({ minimum: 1 }), Type.Literal(false)]))

/** The argument of a method that models name differently, so that it is given by position. */
const VALUES: Record<string, string> = { create: 'vals_list', write: 'vals' }

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
