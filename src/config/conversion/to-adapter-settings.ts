import type { SystemBlock } from '../schema/system-schema.ts'

/** Returns the part of a system's block that belongs to its adapter. */
export function toAdapterSettings(system: SystemBlock): Record<string, unknown> {
  const { adapter: _adapter, address: _address, limits: _limits, contact: _contact, ...settings } = system
  return settings
}
