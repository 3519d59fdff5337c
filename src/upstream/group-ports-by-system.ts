import { isDeepStrictEqual } from 'node:util'
import type { SystemConfig, SystemsConfig } from '../config/system-config.ts'
import { type PortName, portNames } from '../ports/system.ts'

/** A system that a merchant reads one or more ports from. Each port has its own limits. */
export interface SystemWithPorts {
  /** The configuration of its first port. */
  config: SystemConfig
  ports: { name: PortName; config: SystemConfig }[]
}

/** Groups the ports of a merchant by system. Ports with the same adapter, address and settings are of one system. */
export function groupPortsBySystem(configured: SystemsConfig): SystemWithPorts[] {
  const found: SystemWithPorts[] = []
  for (const name of portNames) {
    const config = configured[name]
    if (!config || config === 'imported') continue
    const system = found.find((one) => isSameSystem(one.config, config))
    if (system) system.ports.push({ name, config })
    else found.push({ config, ports: [{ name, config }] })
  }
  return found
}

const isSameSystem = (a: SystemConfig, b: SystemConfig) =>
  a.adapter === b.adapter && a.address === b.address && isDeepStrictEqual(a.settings, b.settings)
