import type { ForecourtOptions } from './call.ts'
import { createClient, type ForecourtClient } from './forecourt-client.ts'
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
  if (!/^svc_(?:test|live)_sec_/.test(options.key))
    throw new TypeError('The key is not a secret one (svc_…_sec_…). For pages, use @forecourt/client/browser.')
  return createClient(options)
}
