import { createCall, type ForecourtOptions, type Operation } from './call.ts'
import type { Session } from './generated/types.gen.ts'
import { createMethods, type OperationMethods, type OperationName } from './operation-methods.ts'
import { callForShopper, createSessions, type ShopperOptions } from './shopper-sessions.ts'

export type ForecourtClient<Names extends OperationName> = OperationMethods<Names> & {
  /** Returns the same operations on behalf of a shopper. */
  forShopper(session: Session, options?: ShopperOptions): ShopperClient<Names>
}

export type ShopperClient<Names extends OperationName> = OperationMethods<Names> & {
  readonly session: Session
  /** Replaces the session now. Callers at the same time share one request. */
  refresh(): Promise<Session>
}

export function createClient<Names extends OperationName>(
  options: ForecourtOptions,
  mayCall: (operation: Operation) => boolean = () => true,
): ForecourtClient<Names> {
  requireUsableUrl(options.url)
  const call = createCall(options)
  const openSession = createSessions(call)
  return Object.assign(createMethods<Names>(call, mayCall), {
    forShopper(session: Session, shopperOptions?: ShopperOptions): ShopperClient<Names> {
      const shopper = openSession(session, shopperOptions)
      const methods = createMethods<Names>(callForShopper(call, shopper), mayCall)
      const members = { refresh: () => shopper.refresh() }
      const client = Object.assign(methods, members)
      return Object.defineProperty(client, 'session', { get: shopper.current }) as ShopperClient<Names>
    },
  })
}

const IS_VARIABLE_SET = 'If it comes from an environment variable, is that set?'

/** Throws for a `url` with which no call succeeds. In a page, it may be relative. */
function requireUsableUrl(url: string): void {
  const { location } = globalThis as { location?: { href: string } }
  const parsed = toUrl(url, location?.href)
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new TypeError(
      `The url "${url}" is not an http or https address, such as https://api.example. ${IS_VARIABLE_SET}`,
    )
  // fetch rejects such an address, and its error would show the password.
  if (parsed.username || parsed.password) throw new TypeError('Leave out the user name and password in the url')
  if (parsed.search || parsed.hash) throw new TypeError(`Leave out the query or fragment in the url "${url}"`)
  if (/\/v1\/*$/.test(parsed.pathname)) throw new TypeError(`Leave out /v1 in the url "${url}": each call adds it.`)
}

function toUrl(url: string, base: string | undefined): URL | null {
  try {
    return new URL(url, base)
  } catch {
    return null
  }
}

/** Throws for options with whose key no call succeeds, and never quotes it. `wrong`: the message for a key of another kind. */
export function requireKey(options: ForecourtOptions | undefined, kind: RegExp, wrong: string): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('The options are missing: createForecourt({ url, key })')
  if (!options.key) throw new TypeError(`The key is not set. ${IS_VARIABLE_SET}`)
  if (!kind.test(options.key)) throw new TypeError(wrong)
}
