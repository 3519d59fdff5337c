import { AsyncLocalStorage } from 'node:async_hooks'
import type { ConsoleContext, ConsoleMiddleware } from './console-context.ts'
import { toCurrentZoneName } from './text/time-zone-names.ts'

/** The time zone in which an operator sees all times. */
export interface OperatorTimeZone {
  /** `null`: the time zone of the merchant that a page is about. */
  name: string | null
  /** The operator chose it; otherwise it is the one of the browser. */
  isChosen: boolean
}

/** The operator's choice. Only the server reads and writes it. */
export const TIME_ZONE_COOKIE = 'forecourt_time_zone'
export const TIME_ZONE_COOKIE_SECONDS = 365 * 86_400
/** Stands for the time zone of the merchant in the cookie. */
export const MERCHANT_TIME_ZONE = 'merchant'
/** What assets/time-zone.js has read from the browser. */
const BROWSER_COOKIE = 'forecourt_browser_time_zone'

const ZONE_NAME = /^[A-Za-z][\w+/-]{1,63}$/

/** Returns the name of a time zone in its usual spelling; `null`: there is no such zone. Clients cannot make more names than there are zones. */
export function parseTimeZone(name: string | null | undefined): string | null {
  if (!name || !ZONE_NAME.test(name)) return null
  try {
    return toCurrentZoneName(new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone)
  } catch {
    return null
  }
}

/** Returns the time zone that the browser reported; `null`: its scripts are off, or it has none. */
const readBrowserTimeZone = (ctx: Pick<ConsoleContext, 'cookies'>): string | null =>
  parseTimeZone(ctx.cookies.get(BROWSER_COOKIE))

function readTimeZone(ctx: Pick<ConsoleContext, 'cookies'>): OperatorTimeZone {
  const choice = ctx.cookies.get(TIME_ZONE_COOKIE)
  if (choice === MERCHANT_TIME_ZONE) return { name: null, isChosen: true }
  const chosen = parseTimeZone(choice)
  return chosen === null ? { name: readBrowserTimeZone(ctx), isChosen: false } : { name: chosen, isChosen: true }
}

const current = new AsyncLocalStorage<OperatorTimeZone>()
const NONE: OperatorTimeZone = { name: null, isChosen: false }

/** Returns the time zone of the operator whose request is being served. Any page may format a time, so it is not passed through all of them. */
export const getOperatorTimeZone = (): OperatorTimeZone => current.getStore() ?? NONE

/** Reads the operator's time zone for the rest of the request. */
export const loadOperatorTimeZone: ConsoleMiddleware = (ctx, next) => current.run(readTimeZone(ctx), next)
