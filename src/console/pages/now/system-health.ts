import type { SystemStatus } from '../../../diagnostics/status/system-status.ts'

/** An inactive incident or a half-open circuit does not count: without requests, nothing is known about this moment. */
export const isSystemDegraded = ({ incidents, state, held }: SystemStatus) =>
  !held?.isMaintenance &&
  (incidents.some(({ isInactive }) => !isInactive) || state === 'open' || held?.state === 'open')

export const isSystemUnhealthy = (system: SystemStatus) =>
  isSystemDegraded(system) || system.state !== 'closed' || system.incidents.length > 0 || system.held !== null
