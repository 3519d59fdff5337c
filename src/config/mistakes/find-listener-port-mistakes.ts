import type { ConfigMistake } from '../config-error.ts'
import { DEFAULT_API_PORT } from '../conversion/default-settings.ts'
import { toOperationsConfig } from '../conversion/to-operations-config.ts'
import type { Environment } from '../environment/process-environment.ts'
import type { OperationsBlock } from '../schema/config-file-schema.ts'
import type { UncheckedConfigFile } from '../schema/unchecked-config-file.ts'
import { isWildcardHost } from '../special-hosts.ts'

interface Listener {
  name: 'listen' | 'operations' | 'metrics'
  host: unknown
  port: unknown
}

/** Finds listeners that would need the same port of the same address, also where defaults and the environment say so. */
export function findListenerPortMistakes(file: UncheckedConfigFile, env: Environment): ConfigMistake[] {
  const listeners = listListeners(file, env)
  return listeners.flatMap(({ name, host, port }, index) => {
    const overlaps = (otherHost: unknown) => otherHost === host || isWildcardHost(otherHost) || isWildcardHost(host)
    const other = listeners.slice(0, index).find((listener) => listener.port === port && overlaps(listener.host))
    if (!other || typeof port !== 'number' || port === 0) return []
    const mistake = `port ${port} is already used by ${other.name}`
    return [{ path: `${name}.port`, mistake, remedy: 'Give it another port' }]
  })
}

/** Lists the listeners as `toConfig` opens them. */
function listListeners(file: UncheckedConfigFile, env: Environment): Listener[] {
  const { host, port = DEFAULT_API_PORT } = file?.listen ?? {}
  const listen: Listener = {
    name: 'listen',
    host: env.FORECOURT_HOST || (host ?? '127.0.0.1'),
    port: env.PORT ? Number(env.PORT) : port,
  }
  const operations = toOperationsConfig(
    (file?.operations ?? undefined) as OperationsBlock | undefined,
    Number(listen.port),
  )
  const metrics = file?.metrics
  return [
    listen,
    ...(operations ? [{ name: 'operations' as const, ...operations }] : []),
    ...(metrics ? [{ name: 'metrics' as const, host: metrics.host ?? '127.0.0.1', port: metrics.port }] : []),
  ]
}
