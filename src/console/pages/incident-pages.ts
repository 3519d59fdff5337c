import { type IncidentQuery, incidentOf, listIncidents } from '../../diagnostics/incidents.ts'
import type { Database } from '../../storage/database.ts'
import type { Offices } from '../../upstream/upstream-registry.ts'
import { circuitWays } from './circuit-paths.ts'
import { incidentShown, incidentWhole } from './incident-page-view.ts'
import { chosenMerchant, type Merchants, modes } from '../merchant-directory.ts'
import { momentIn } from '../text/format-times.ts'
import { notThere } from './merchant-filter.ts'
import type { ConsolePage, Shown } from '../console-page.ts'

const A_PAGE = 50

export interface IncidentPagesParts {
  db: Database
  offices: Pick<Offices, 'states'>
  merchants: Merchants
  now: () => number
}

/** What was wrong, of all merchants or of one, the latest first. */
export function incidentsPage({ db, merchants, now }: IncidentPagesParts): ConsolePage {
  return {
    ...{ method: 'GET', path: '/incidents', role: 'support', live: true },
    async answer({ query }): Promise<Shown> {
      const missing = notThere('/incidents', query, merchants)
      if (missing) return missing
      const { merchant, mode } = chosenMerchant(query, merchants)
      const state = query.get('state')
      const at = momentIn(query.get('at'), merchants.zone(merchant))
      const asked: IncidentQuery = {
        limit: A_PAGE,
        ...(at !== null && { at }),
        ...(merchant && { tenant: merchant }),
        ...(mode && { mode }),
        ...(state === 'open' && { open: true }),
        ...(state === 'over' && { open: false }),
        ...(query.get('before') && { before: query.get('before')! }),
      }
      const { incidents, next } = await listIncidents(db, asked)
      const older = new URLSearchParams([...query].filter(([name]) => name !== 'before'))
      if (next) older.set('before', next)
      const chosen = {
        ...{ merchant: merchant ?? '', mode: mode ?? '', state: state ?? '' },
        ...{ at: at === null ? '' : query.get('at')!, zone: merchants.zone(merchant) },
      }
      return {
        template: 'incidents',
        title: 'Incidents',
        view: {
          ...{ chosen, choice: { merchants: merchants.all, modes }, isFirst: !query.has('before') },
          ...{
            incidents: incidents.map((one) => incidentShown(one, merchants, now())),
            older: next && `/incidents?${older}`,
          },
        },
      }
    },
  }
}

/** One of them, with what is known of its cause and requests to look at. */
export function incidentPage({ db, offices, merchants, now }: IncidentPagesParts): ConsolePage {
  return {
    ...{ method: 'GET', path: '/incidents/:id', role: 'support', live: true },
    async answer({ params }): Promise<Shown> {
      const found = await incidentOf(db, params.id!)
      if (!found) return { template: 'incident-not-found', title: 'No such incident', view: {}, status: 404 }
      const { tenant, mode, system } = found
      const circuit = circuitWays(offices)({ merchant: tenant, mode, system })
      const shown = incidentWhole(found, circuit, merchants, now())
      return { template: 'incident', title: `${shown.name}, ${shown.shop}`, view: shown }
    },
  }
}
