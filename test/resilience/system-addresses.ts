import type { System } from '../../src/ports/system.ts'

/** The address of each system; the sandbox account of a tenant is `<merchant>-<mode>`. */
export type SystemAddresses = Record<System, string>

export function systemAddresses(started: readonly { system: System; address: string }[]): SystemAddresses {
  return Object.fromEntries(started.map(({ system, address }) => [system, address])) as SystemAddresses
}
