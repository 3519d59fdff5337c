import type { ForecourtOptions } from './call.ts'
import { createClient, type ForecourtClient, requireKey } from './forecourt-client.ts'
import type { BrowserOperationName } from './operation-methods.ts'

export { type CallOptions, createIdempotencyKey, type ForecourtOptions } from './call.ts'
export type { ShopperClient } from './forecourt-client.ts'
export type { ClientErrorCode } from './forecourt-error.ts'
export { ForecourtError } from './forecourt-error.ts'
export type * from './generated/types.gen.ts'
export { sectionError } from './section-error.ts'
export { createShopperCalls, type ShopperCalls, type ShopperCallsOptions } from './shopper-gateway-client.ts'
export type { ShopperOptions } from './shopper-sessions.ts'

export type BrowserClient = ForecourtClient<BrowserOperationName>

/** Returns a client for pages, with the operations that a publishable key may call. */
export function createForecourt(options: ForecourtOptions): BrowserClient {
  requireKey(
    options,
    /^svc_(?:test|live)_pub_\w+\s*$/,
    'The key is not a publishable one (svc_…_pub_…), or is a placeholder. Everybody who opens the page can read its key: keep a secret key on your server, and use @forecourt/client/server there.',
  )
  return createClient(options, ({ server }) => !server)
}
