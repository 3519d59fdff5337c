import type { Logger } from 'pino'
import { throttleLog } from '../lifecycle/log-throttle.ts'
import { type Tenant, tenantKey } from '../tenant.ts'

/** Logs that the file of a tenant's mirror could not be read: once a minute for each tenant. */
export function createMirrorErrorLog(
  logger: Pick<Logger, 'error'>,
  now: () => number,
): (tenant: Tenant, error: unknown) => void {
  const logs = new Map<string, (error: unknown) => void>()

  function createLog({ merchant, mode }: Tenant) {
    const message = 'the catalog mirror could not be read: the systems are asked instead'
    return throttleLog((err: unknown) => logger.error({ merchant, mode, err }, message), { now })
  }

  return (tenant, error) => {
    const key = tenantKey(tenant)
    const log = logs.get(key) ?? createLog(tenant)
    logs.set(key, log)
    log(error)
  }
}
