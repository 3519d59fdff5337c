import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { type ClientAddresses, createClientAddresses, type ForwardingHeader } from '../http/access/client-addresses.ts'
import { throttleLog } from '../lifecycle/log-throttle.ts'
import type { Database } from '../storage/database.ts'
import { recordProxySighting } from '../storage/untrusted-proxy-sightings.ts'

const HOUR_MS = 3_600_000

export interface ClientAddressSetupParts {
  config: Pick<Config, 'trustedProxies'>
  db: Database
  logger: Logger
  now: () => number
}

/** Creates the reader of client addresses. A proxy that is not configured is logged, and stored for `forecourt doctor`, once an hour. */
export function setUpClientAddresses({ config, db, logger, now }: ClientAddressSetupParts): ClientAddresses {
  const onUntrustedProxy = throttleLog(
    (header: ForwardingHeader, address: string) => {
      logger.warn(
        { header, address },
        'a request arrived through a proxy, but trusted_proxies is not set: all clients of a proxy share one limit. Set trusted_proxies to the addresses of the proxy, or to [] if there is none',
      )
      recordProxySighting(db, { header, address, seen_at: new Date(now()).toISOString() }).catch((err) =>
        logger.warn({ err }, 'the proxy could not be recorded for forecourt doctor'),
      )
    },
    { now: () => performance.now(), intervalMs: HOUR_MS },
  )
  return createClientAddresses({ trustedProxies: config.trustedProxies, onUntrustedProxy })
}
