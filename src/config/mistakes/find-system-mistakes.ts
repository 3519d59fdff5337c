import { type AdapterRegistry, findAdapter } from '../adapter-registry.ts'
import type { ConfigMistake } from '../config-error.ts'
import { toAdapterSettings } from '../conversion/to-adapter-settings.ts'
import type { SystemEntry } from '../schema/system-entries.ts'
import { SystemBlock } from '../schema/system-schema.ts'
import { suggestName } from '../suggest-name.ts'
import type { PartSchema } from './describe-shape-error.ts'
import { findSettingRemedy } from './find-setting-remedy.ts'
import { findShapeMistakes } from './find-shape-mistakes.ts'

/** Checks one system against its adapter: that the adapter exists, implements the port and knows every setting. */
export function findSystemMistakes(
  { block, port, path }: SystemEntry<SystemBlock>,
  adapters: AdapterRegistry,
): ConfigMistake[] {
  const adapter = findAdapter(block.adapter, adapters)
  if (!adapter) {
    const names = Object.keys(adapters)
    const remedy = [suggestName(block.adapter, names), `Use one of ${names.join(', ')}`].filter(Boolean).join(' ')
    return [{ path: `${path}.adapter`, mistake: `unknown adapter${quoteAdapterName(block.adapter)}`, remedy }]
  }
  // An unknown setting is a misspelled one, which would be ignored.
  const properties = { ...SystemBlock.properties, ...(adapter.settings as PartSchema).properties }
  const settingsSchema = { additionalProperties: false, ...adapter.settings, properties }
  const mistakes = findShapeMistakes(settingsSchema, toAdapterSettings(block), path)
  if (!adapter.ports.includes(port)) {
    const remedy =
      port === 'fitment' ? 'Use another adapter, or "imported"' : 'Use another adapter, or remove the system'
    mistakes.push({ path, mistake: `adapter ${adapter.name} does not support ${port}`, remedy })
  }
  if (/^https?:/.test(String(block.address)) && !URL.canParse(block.address))
    mistakes.push({ path: `${path}.address`, mistake: 'is not a valid URL', remedy: findSettingRemedy('address')! })
  return mistakes
}

/** Only a well-formed name is repeated: anything else may be a secret from another line. */
const quoteAdapterName = (name: string) => (/^[\w-]{1,40}$/.test(name) ? ` "${name}"` : '')
