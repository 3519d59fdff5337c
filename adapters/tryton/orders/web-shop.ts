import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { TrytonId } from '../client/tryton-values.ts'
import { companyDomain } from '../company-domain.ts'
import type { TrytonContext } from '../context.ts'

const WebShops = responseSchema(Type.Array(Type.Object({ id: TrytonId })))

/**
 * Returns a reader of the web shop that new sales belong to: `null` up to 7.4, where the Web ID of a sale is unique by
 * itself. Rejects with 'not_configured' unless exactly one shop fits the settings.
 */
export function createWebShopReader(context: TrytonContext): (call: Call) => Promise<number | null> {
  const { rpc, settings, facts, capabilities } = context
  const readShop = createCachedTableLoader(
    async (call) => {
      const name = settings.web_shop
      const domain = [companyDomain(context), ...(name === undefined ? [] : [['name', '=', name]])]
      const found = await rpc(WebShops, 'web.shop.search_read', [domain, 0, 2, [['id', 'ASC']], ['id']], call)
      if (found.length === 1) return found[0]!.id
      const count = found.length === 0 ? 'no web shop' : 'several web shops'
      throw new UpstreamError('not_configured', `Tryton has ${count}${name === undefined ? '' : ` named ${name}`}`)
    },
    { maxAgeMs: 60_000, now: () => facts.now().getTime() },
  )
  return async (call) => ((await capabilities.has('release76', call)) ? readShop(call) : null)
}
