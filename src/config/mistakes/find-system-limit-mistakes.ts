import type { ConfigMistake } from '../config-error.ts'
import { DEFAULT_DEADLINE_MS } from '../conversion/default-settings.ts'
import type { SystemEntry } from '../schema/system-entries.ts'
import type { SystemBlock } from '../schema/system-schema.ts'

/** Finds limits of a system that have no effect, because another limit is lower. `deadline`: of the requests, in milliseconds. */
export const findSystemLimitMistakes = (entry: SystemEntry<SystemBlock>, deadline: unknown): ConfigMistake[] => [
  ...findTimeoutMistakes(entry, deadline),
  ...findSearchLimitMistakes(entry),
]

/** The reserve of a request's deadline, which the call to one system may not use. */
const DEADLINE_MARGIN_MS = 100

/** With a timeout beyond the request deadline, Forecourt would never notice that a system hangs. */
function findTimeoutMistakes({ block, path }: SystemEntry<SystemBlock>, deadline: unknown): ConfigMistake[] {
  const deadlineMs = typeof deadline === 'number' ? deadline : DEFAULT_DEADLINE_MS
  const maxMs = deadlineMs - DEADLINE_MARGIN_MS
  if (typeof block.limits?.timeout_ms !== 'number' || block.limits.timeout_ms <= maxMs) return []
  const mistake = `is too long for a request with deadline_ms ${deadlineMs}`
  const remedy = maxMs > 0 ? `Give at most ${maxMs}, or raise deadline_ms` : 'Raise deadline_ms'
  return [{ path: `${path}.limits.timeout_ms`, mistake, remedy }]
}

/** Checks the limit of searches. Only the inventory is searched, and `concurrency` includes its searches. */
function findSearchLimitMistakes({ block, port, path }: SystemEntry<SystemBlock>): ConfigMistake[] {
  const { search_concurrency: searches, concurrency } = block.limits ?? {}
  if (typeof searches !== 'number') return []
  const at = `${path}.limits.search_concurrency`
  if (port !== 'inventory')
    return [{ path: at, mistake: `has no effect on ${port}`, remedy: 'Remove it: only the inventory is searched' }]
  if (typeof concurrency !== 'number' || searches <= concurrency) return []
  const remedy = `Give at most ${concurrency}, or raise concurrency`
  return [{ path: at, mistake: `is more than concurrency (${concurrency})`, remedy }]
}
