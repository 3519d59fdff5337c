import type { MerchantNow, SystemNow } from '../../diagnostics/status/current-status.ts'
import { counted } from '../text/format-times.ts'
import type { Pill } from './now-page-view.ts'

/** Names who is hit while they are few; what is only to be watched while nothing is degraded. */
export function headlineOf(troubled: readonly MerchantNow[]): Pill {
  if (troubled.length === 0) return { tone: 'well', word: 'All is well' }
  const degraded = whoOf(troubled, isDegrading)
  return degraded
    ? { tone: 'failing', word: `Degraded: ${degraded}` }
    : { tone: 'warning', word: `To watch: ${whoOf(troubled, isTroubled)}` }
}

/** Empty: none. */
function whoOf(shops: readonly MerchantNow[], isMeant: (system: SystemNow) => boolean): string {
  const named = shops.map(({ name, mode, systems }) =>
    systems.filter(isMeant).map(({ system }) => `${system} of ${name} (${mode})`),
  )
  const all = named.flat()
  const hit = named.filter((of) => of.length > 0).length
  return all.length > 3 ? `${all.length} systems of ${counted(hit, 'shop')}` : all.join(', ')
}

/** At this moment: of what nobody asks for, nothing is known, nor of a circuit that waits for somebody to try. */
const isDegrading = ({ incidents, state, held }: SystemNow) =>
  incidents.some(({ silent }) => !silent) || state === 'open' || held?.state === 'open'
export const isTroubled = (system: SystemNow) =>
  isDegrading(system) || system.state !== 'closed' || system.incidents.length > 0 || system.held !== null
