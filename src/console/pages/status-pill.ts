import type { SystemStatus } from '../../diagnostics/status/system-status.ts'
import { callPauseTexts } from '../text/call-pause-text.ts'

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
}: Pick<SystemStatus, 'state' | 'held' | 'incidents' | 'openIn'>): StatusPill {
  if (held?.isMaintenance) return { tone: 'warning', text: 'Planned maintenance' }
  if (held) return { tone: held.state === 'open' ? 'failing' : 'warning', text: callPauseTexts[`held_${held.state}`] }
  if (state === 'open')
    return {
      tone: 'failing',
      text: openIn > 1 ? `${callPauseTexts.open} in ${openIn} processes` : callPauseTexts.open,
    }
  if (state === 'half-open') return { tone: 'warning', text: callPauseTexts[state] }
  if (incidents.some(({ silent }) => !silent)) return { tone: 'failing', text: 'Degraded' }
  if (incidents.length > 0) return { tone: 'warning', text: 'No new requests' }
  return { tone: 'well', text: 'Healthy' }
}
