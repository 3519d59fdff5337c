import { type CallInput, type CallOptions, createCall, type ForecourtOptions, type Operation } from './call.ts'
import { type OperationTypes, operations } from './generated/operations.gen.ts'
import type { InputOf, Method, OperationMethods, OperationName } from './operation-methods.ts'

/** The operations that open a session. */
export type SignInName = 'logInShopper' | 'registerShopper' | 'verifyShopper' | 'confirmPasswordReset'
/** The operations of an account that need no session. */
export type SignedOutName = SignInName | 'askForPasswordReset' | 'logOutShopper'
type ShopperReadOrChange = {
  [Name in OperationName]: (typeof operations)[Name] extends { shopper: true } ? Name : never
}[OperationName]
/** What a page may ask of your server: what a shopper may do. */
export type ShopperOperationName = ShopperReadOrChange | SignedOutName

export interface SignInResult {
  status: 'SIGNED_IN' | 'VERIFICATION_SENT'
}

export type ShopperCalls = OperationMethods<ShopperReadOrChange | 'askForPasswordReset'> & {
  [Name in SignInName]: Method<InputOf<OperationTypes[Name]['data']>, SignInResult>
} & { logOutShopper(): Promise<unknown> }

/** `url`: where your server has the gateway, such as `https://shop.example/account`. */
export type ShopperCallsOptions = Omit<ForecourtOptions, 'key' | 'cache' | 'onHint'>

/** Longer than the limits of your server's client, so that a page knows how each of its calls ended. */
const LIMITS = { timeoutMs: 45_000, attemptTimeoutMs: 20_000 }

/** Returns a client for the pages of a signed-in shopper. It calls `createShopperGateway` on your server: `POST <url>/<operation>`. */
export function createShopperCalls(options: ShopperCallsOptions): ShopperCalls {
  const call = createCall({ ...LIMITS, ...options, key: '', cache: false })
  const methods = Object.entries<Operation>(operations).map(([name, operation]) => [
    name,
    (input: CallInput = {}, callOptions: CallOptions = {}) =>
      call({ ...operation, method: 'POST', path: `/${name}`, empty: false }, { body: input }, callOptions),
  ])
  return Object.fromEntries(methods)
}
