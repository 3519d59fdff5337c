import { type Call, createIdempotencyKey, REFRESH_LIMITS } from './call.ts'
import { ForecourtError } from './forecourt-error.ts'
import { operations } from './generated/operations.gen.ts'
import type { Session } from './generated/types.gen.ts'

export interface ShopperOptions {
  /** Receives the session that replaces the old one, or null when the shopper must sign in again. Store it. */
  onSession?: (session: Session | null) => void | Promise<void>
}

/** The current session of one shopper. */
export interface ShopperSession {
  current(): Session
  /** Replaces the session, unless another caller has already replaced this one. */
  refresh(expired?: Session): Promise<Session>
}

export type OpenSession = (session: Session, options?: ShopperOptions) => ShopperSession

/** Returns a function that holds sessions. All that hold the same session share one refresh, which no caller can abort. */
export function createSessions(call: Call): OpenSession {
  const running = new Map<string, Promise<Session>>()

  function refreshOnce(refreshToken: string): Promise<Session> {
    const found = running.get(refreshToken)
    if (found) return found
    const input = { body: { refresh_token: refreshToken } }
    const refreshed = call(operations.refreshShopper, input, REFRESH_LIMITS).finally(() => running.delete(refreshToken))
    running.set(refreshToken, refreshed as Promise<Session>)
    return refreshed as Promise<Session>
  }

  return (first, { onSession } = {}) => {
    if (!first?.shopper_token)
      throw new TypeError('forShopper needs the session that logInShopper returned, with its shopper_token')
    let session = first
    let replacing: Promise<Session> | undefined

    async function replace(): Promise<Session> {
      try {
        const next = await refreshOnce(session.refresh_token)
        session = next
        await onSession?.(next)
        return next
      } catch (error) {
        if (error instanceof ForecourtError && error.code === 'invalid_refresh_token') await onSession?.(null)
        throw error
      } finally {
        replacing = undefined
      }
    }

    return {
      current: () => session,
      refresh(expired = session) {
        if (expired !== session) return Promise.resolve(session)
        replacing ??= replace()
        return replacing
      },
    }
  }
}

/** Returns a call on behalf of the shopper. A call that got a 401 did nothing, so any operation can be repeated with the new token. */
export const callForShopper =
  (call: Call, shopper: ShopperSession): Call =>
  async (operation, input, options) => {
    const used = shopper.current()
    // The same key for both, if the call has one.
    const kept = operation.idempotent ? { idempotencyKey: createIdempotencyKey(), ...options } : options
    try {
      return await call(operation, input, kept, used.shopper_token)
    } catch (error) {
      const isExpired = error instanceof ForecourtError && error.code === 'invalid_shopper_token'
      if (!isExpired || !operation.shopper) throw error
      const { shopper_token } = await untilAborted(shopper.refresh(used), options.signal)
      return call(operation, input, kept, shopper_token)
    }
  }

/** Rejects when the caller aborts. The promise itself continues, because others may wait for it. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    promise.finally(() => signal.removeEventListener('abort', onAbort)).then(resolve, reject)
  })
}
