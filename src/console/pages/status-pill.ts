import type { SystemStatus } from '../../diagnostics/status/system-status.ts'
import { callPauseTexts } from '../text/call-pause-text.ts'
import { NOT_CONFIRMED } from '../text/partial-recovery-text.ts'
import { isResponding, RESPONDS_AGAIN } from '../text/responding-again-text.ts'

/** A state as a short text. The tone selects its shape and colour. */
export interface StatusPill {
  tone: 'well' | 'warning' | 'failing' | ''
  text: string
}

export function toSystemPill({
  state,
  held,
  incidents,
  openIn,
  calls,
}: Pick<SystemStatus, 'state' | 'held' | 'incidents' | 'openIn' | 'calls'>): StatusPill {
  if (held?.isMaintenance) return { tone: 'warning', text: 'Planned maintenance' }
  if (held) return { tone: held.state === 'open' ? 'failing' : 'warning', text: callPauseTexts[`held_${held.state}`] }
  if (state === 'open')
    return {
      tone: 'failing',
      text: openIn > 1 ? `${callPauseTexts.open} in ${openIn} processes` : callPauseTexts.open,
    }
  if (state === 'half-open') return { tone: 'warning', text: callPauseTexts[state] }
  if (incidents.some(({ isInactive }) => !isInactive)) return { tone: 'failing', text: 'Degraded' }
  if (incidents.length > 0) return { tone: 'warning', text: toInactiveText(incidents, calls) }
  return { tone: 'well', text: 'Healthy' }
}

/** Without requests for these sections, calls for others or in the background may show that the system responds. */
function toInactiveText(incidents: SystemStatus['incidents'], calls: number): string {
  const isRecovered = incidents.some(({ lastAt, recoveredAt }) => recoveredAt !== null && recoveredAt > lastAt)
  if (!isRecovered && incidents.every(isResponding)) return RESPONDS_AGAIN
  return calls === 0 && !isRecovered ? 'No new requests' : NOT_CONFIRMED
}
