import type { ServerStart } from '../../diagnostics/reports/server-starts.ts'
import { formatCount } from './format-numbers.ts'

/** Says what a start of the server was: a deployment, a changed configuration or a restart. */
export function describeServerStart({
  processes,
  version,
  previousVersion,
  isConfigChanged,
  isFirst,
}: ServerStart): string {
  const withConfig = isConfigChanged ? ' with a changed configuration' : ''
  const many = processes > 1 ? ` (${formatCount(processes, 'process', 'processes')})` : ''
  if (previousVersion !== null)
    return `Version ${version} started${withConfig}; before, it was ${previousVersion}${many}`
  if (isFirst) return `Version ${version} started${many}`
  return isConfigChanged ? `Started${withConfig}${many}` : `Restarted${many}`
}
