import { type AdapterRegistry, findAdapter } from '../adapter-registry.ts'
import { ConfigFile } from '../schema/config-file-schema.ts'
import { MirrorBlock } from '../schema/mirror-schema.ts'
import { hasAdapterName, listSystemEntries } from '../schema/system-entries.ts'
import { SystemBlock } from '../schema/system-schema.ts'
import type { UncheckedConfigFile } from '../schema/unchecked-config-file.ts'
import { coerceSubstitutedValues } from './coerce-substituted-values.ts'
import type { SubstitutedFile } from './substitute-variables.ts'

/** Converts texts from the environment to numbers and booleans where the schemas want these, in `value` itself. */
export function coerceConfigFile(
  { value, variableNames }: Pick<SubstitutedFile, 'value' | 'variableNames'>,
  adapters: AdapterRegistry,
): void {
  const file = value as UncheckedConfigFile
  coerceSubstitutedValues(ConfigFile, value, '', variableNames)
  for (const [merchant, settings] of Object.entries(file?.merchants ?? {}))
    if (typeof settings?.mirror === 'object')
      coerceSubstitutedValues(MirrorBlock, settings.mirror, `merchants.${merchant}.mirror`, variableNames)
  for (const entry of listSystemEntries(file)) {
    const adapter = hasAdapterName(entry) ? findAdapter(entry.block.adapter, adapters) : undefined
    if (entry.port === 'fitment') coerceSubstitutedValues(SystemBlock, entry.block, entry.path, variableNames)
    coerceSubstitutedValues(adapter?.settings ?? {}, entry.block, entry.path, variableNames)
  }
}
