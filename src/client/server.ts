import type { ForecourtOptions } from './call.ts'
import { createClient, type ForecourtClient, requireKey } from './forecourt-client.ts'
import type { OperationName } from './operation-methods.ts'

export type { CallOptions, ForecourtOptions } from './call.ts'
export type { ShopperClient } from './forecourt-client.ts'
export type { ClientErrorCode } from './forecourt-error.ts'
export { ForecourtError } from './forecourt-error.ts'
export type * from './generated/types.gen.ts'
export { sectionError } from './section-error.ts'
export { createShopperGateway, type ShopperGateway, type ShopperRequest } from './shopper-gateway.ts'
export type { ShopperOptions } from './shopper-sessions.ts'

export type ServerClient = ForecourtClient<OperationName>

/** Returns a client for your server, with all operations. */
export function createForecourt(options: ForecourtOptions): ServerClient {
  const wrong =
    'The key is not a secret one (svc_…_sec_…), or is a placeholder. For pages, use @forecourt/client/browser.'
  requireKey(options, /^svc_(?:test|live)_sec_\w+\s*$/, wrong)
  return createClient(options)
}
