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
