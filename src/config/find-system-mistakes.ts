import { type AdapterRegistry, findAdapter } from './adapter-registry.ts'
import type { ConfigMistake } from './config-error.ts'
import { DEFAULT_DEADLINE_MS } from './config-schema.ts'
import type { PartSchema } from './describe-shape-error.ts'
import { findShapeMistakes } from './find-shape-mistakes.ts'
import { SystemBlock } from './merchant-schema.ts'
import { findSettingRemedy } from './setting-remedies.ts'
import { suggestName } from './suggest-name.ts'
import type { SystemEntry } from './system-entries.ts'
import { toAdapterSettings } from './to-adapter-settings.ts'

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
    const remedy = port === 'fitment' ? 'Use another adapter, or imported' : 'Use another adapter, or remove the system'
    mistakes.push({ path, mistake: `adapter ${adapter.name} does not support ${port}`, remedy })
  }
  if (/^https?:/.test(String(block.address)) && !URL.canParse(block.address))
    mistakes.push({ path: `${path}.address`, mistake: 'is not a valid URL', remedy: findSettingRemedy('address')! })
  return mistakes
}

/** Only a well-formed name is repeated: anything else may be a secret from another line. */
const quoteAdapterName = (name: string) => (/^[\w-]{1,40}$/.test(name) ? ` "${name}"` : '')

/** The part of a request's deadline that the call to one system may not use. */
const DEADLINE_MARGIN_MS = 100

/** With a timeout beyond the request deadline, Forecourt would never notice that a system hangs. */
export function findTimeoutMistakes({ block, path }: SystemEntry<SystemBlock>, deadline: unknown): ConfigMistake[] {
  const deadlineMs = typeof deadline === 'number' ? deadline : DEFAULT_DEADLINE_MS
  const maxMs = deadlineMs - DEADLINE_MARGIN_MS
  if (typeof block.limits?.timeout_ms !== 'number' || block.limits.timeout_ms <= maxMs) return []
  const mistake = `is too long for a request with deadline_ms ${deadlineMs}`
  const remedy = maxMs > 0 ? `Give at most ${maxMs}, or raise deadline_ms` : 'Raise deadline_ms'
  return [{ path: `${path}.limits.timeout_ms`, mistake, remedy }]
}

/** Checks the limit of searches. Only the inventory is searched, and `concurrency` includes its searches. */
export function findSearchLimitMistakes({ block, port, path }: SystemEntry<SystemBlock>): ConfigMistake[] {
  const { search_concurrency: searches, concurrency } = block.limits ?? {}
  if (typeof searches !== 'number') return []
  const at = `${path}.limits.search_concurrency`
  if (port !== 'inventory')
    return [{ path: at, mistake: `has no effect on ${port}`, remedy: 'Remove it: only the inventory is searched' }]
  if (typeof concurrency !== 'number' || searches <= concurrency) return []
  const remedy = `Give at most ${concurrency}, or raise concurrency`
  return [{ path: at, mistake: `is more than concurrency (${concurrency})`, remedy }]
}
