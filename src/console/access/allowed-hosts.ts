import { isIP } from 'node:net'
import { ConsoleHttpError, type ConsoleMiddleware } from '../console-context.ts'

/**
 * Refuses a name that this listener was not given: a site whose name was pointed here (DNS rebinding) would else be read by its own scripts.
 * An address is no name, and a machine's own names are nobody else's.
 */
export function requireAllowedHost(url: string | undefined): ConsoleMiddleware {
  const ours = new Set(['localhost', ...(url ? [new URL(url).hostname] : [])])
  return (ctx, next) => {
    const { hostname } = ctx
    if (ours.has(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return next()
    throw new ConsoleHttpError(
      421,
      'These pages are not known by that name. Set operations.url to the address they are reached by.',
    )
  }
}
