import type { ConfigMistake } from '../config-error.ts'
import { toAdapterSettings } from '../conversion/to-adapter-settings.ts'
import type { SystemEntry } from '../schema/system-entries.ts'
import type { SystemBlock } from '../schema/system-schema.ts'

/** Finds sandbox systems that are also live systems: a sandbox key would change live data. */
export function findSharedSystemMistakes(entries: readonly SystemEntry<SystemBlock>[]): ConfigMistake[] {
  const liveSystems = new Set(entries.filter(({ mode }) => mode === 'live').map(({ block }) => systemIdentity(block)))
  const remedy = 'Give sandbox keys a separate system, or remove the block to use the embedded back office'
  return entries
    .filter(({ mode, block }) => mode === 'sandbox' && liveSystems.has(systemIdentity(block)))
    .map(({ path }) => ({ path, mistake: 'is also a live system', remedy }))
}

/** Two blocks are the same system when nothing but their limits differs. */
function systemIdentity(block: SystemBlock): string {
  return JSON.stringify([block.adapter, String(block.address).replace(/\/+$/, ''), toAdapterSettings(block)])
}
