import { type PortName, portNames } from '../../ports/system.ts'
import type { SystemBlock, SystemsBlock } from '../schema/system-schema.ts'
import type { SystemConfig, SystemsConfig } from '../system-config.ts'
import { BYTES_PER_MIB } from './bytes-per-mib.ts'
import { DEFAULT_MAX_RESPONSE_MIB } from './default-settings.ts'
import { toAdapterSettings } from './to-adapter-settings.ts'
import { toContact } from './to-contact.ts'

export function toSystemsConfig(file: SystemsBlock): SystemsConfig {
  const convert = (system: NonNullable<SystemsBlock[PortName]>) =>
    system === 'imported' ? system : toSystemConfig(system)
  return Object.fromEntries(portNames.flatMap((port) => (file[port] ? [[port, convert(file[port])]] : [])))
}

function toSystemConfig(file: SystemBlock): SystemConfig {
  return {
    adapter: file.adapter,
    address: file.address.replace(/\/+$/, ''),
    settings: toAdapterSettings(file),
    ...toContact(file.contact),
    limits: {
      ...(file.limits?.timeout_ms !== undefined && { timeoutMs: file.limits.timeout_ms }),
      ...(file.limits?.concurrency !== undefined && { concurrency: file.limits.concurrency }),
      ...(file.limits?.search_concurrency !== undefined && { searchConcurrency: file.limits.search_concurrency }),
      ...(file.limits?.per_minute !== undefined && { perMinute: file.limits.per_minute }),
      ...(file.limits?.queue !== undefined && { queue: file.limits.queue }),
    },
    maxResponseBytes: (file.limits?.max_response_mib ?? DEFAULT_MAX_RESPONSE_MIB) * BYTES_PER_MIB,
  }
}
