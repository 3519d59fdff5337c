import type { SystemStatus, TenantStatus } from '../../diagnostics/status/current-status.ts'
import { formatCount } from '../text/format-times.ts'
import type { StatusPill } from './now-page-view.ts'

/** Names who is hit while they are few; what is only to be watched while nothing is degraded. */
export function toNowHeadline(troubled: readonly TenantStatus[]): StatusPill {
  if (troubled.length === 0) return { tone: 'well', word: 'All is well' }
  const degraded = whoOf(troubled, isDegrading)
  return degraded
    ? { tone: 'failing', word: `Degraded: ${degraded}` }
    : { tone: 'warning', word: `To watch: ${whoOf(troubled, isSystemUnhealthy)}` }
}

/** Empty: none. */
function whoOf(shops: readonly TenantStatus[], isMeant: (system: SystemStatus) => boolean): string {
  const named = shops.map(({ name, mode, systems }) =>
    systems.filter(isMeant).map(({ system }) => `${system} of ${name} (${mode})`),
  )
  const all = named.flat()
  const hit = named.filter((of) => of.length > 0).length
  return all.length > 3 ? `${all.length} systems of ${formatCount(hit, 'shop')}` : all.join(', ')
}

/** At this moment: of what nobody asks for, nothing is known, nor of a circuit that waits for somebody to try. */
const isDegrading = ({ incidents, state, held }: SystemStatus) =>
  incidents.some(({ silent }) => !silent) || state === 'open' || held?.state === 'open'
export const isSystemUnhealthy = (system: SystemStatus) =>
  isDegrading(system) || system.state !== 'closed' || system.incidents.length > 0 || system.held !== null
