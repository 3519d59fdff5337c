import { type AdapterRegistry, findAdapter } from '../adapter-registry.ts'
import { ConfigFile } from '../schema/config-file-schema.ts'
import { MirrorBlock } from '../schema/mirror-schema.ts'
import { hasAdapterName, listSystemEntries } from '../schema/system-entries.ts'
import { SystemBlock } from '../schema/system-schema.ts'
import type { UncheckedConfigFile } from '../schema/unchecked-config-file.ts'
import { coerceSubstituted } from './coerce-substituted.ts'
import type { SubstitutedFile } from './substitute-variables.ts'

/** Converts texts from the environment to numbers and booleans where the schemas want these, in `value` itself. */
export function coerceConfigFile(
  { value, variableNames }: Pick<SubstitutedFile, 'value' | 'variableNames'>,
  adapters: AdapterRegistry,
): void {
  const file = value as UncheckedConfigFile
  coerceSubstituted(ConfigFile, value, '', variableNames)
  for (const [merchant, settings] of Object.entries(file?.merchants ?? {}))
    if (typeof settings?.mirror === 'object')
      coerceSubstituted(MirrorBlock, settings.mirror, `merchants.${merchant}.mirror`, variableNames)
  for (const entry of listSystemEntries(file)) {
    const adapter = hasAdapterName(entry) ? findAdapter(entry.block.adapter, adapters) : undefined
    if (entry.port === 'fitment') coerceSubstituted(SystemBlock, entry.block, entry.path, variableNames)
    coerceSubstituted(adapter?.settings ?? {}, entry.block, entry.path, variableNames)
  }
}
