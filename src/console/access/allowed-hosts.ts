import { isIP } from 'node:net'
import type { ConsoleMiddleware } from '../console-context.ts'
import { ConsoleHttpError } from '../console-http-error.ts'

/**
 * Refuses requests for host names other than `localhost` and the configured one: DNS rebinding would otherwise let another site's scripts
 * read these pages. IP addresses are accepted.
 */
export function requireAllowedHost(url: string | undefined): ConsoleMiddleware {
  const allowedHosts = new Set(['localhost', ...(url ? [new URL(url).hostname] : [])])
  return (ctx, next) => {
    const { hostname } = ctx
    if (allowedHosts.has(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return next()
    throw new ConsoleHttpError(
      421,
      'This host name is not configured. Set operations.url to the address that browsers use.',
    )
  }
}
