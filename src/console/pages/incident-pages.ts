import { findIncident, type IncidentQuery, listIncidents } from '../../diagnostics/incidents.ts'
import type { Database } from '../../storage/database.ts'
import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'
import type { ConsolePage, TemplateResponse } from '../console-page.ts'
import { type MerchantDirectory, modes, readMerchantFilter } from '../merchant-directory.ts'
import { parseLocalTime } from '../text/format-times.ts'
import { createCircuitPathLookup } from './circuit-paths.ts'
import { toIncidentPageView, toIncidentRowView } from './incident-page-view.ts'
import { checkMerchantFilter } from './merchant-filter.ts'

const A_PAGE = 50

export interface IncidentPagesParts {
  db: Database
  upstreams: Pick<UpstreamRegistry, 'states'>
  merchants: MerchantDirectory
  now: () => number
}

/** What was wrong, of all merchants or of one, the latest first. */
export function createIncidentListPage({ db, merchants, now }: IncidentPagesParts): ConsolePage {
  return {
    ...{ method: 'GET', path: '/incidents', role: 'support', live: true },
    async answer({ query }): Promise<TemplateResponse> {
      const missing = checkMerchantFilter('/incidents', query, merchants)
      if (missing) return missing
      const { merchant, mode } = readMerchantFilter(query, merchants)
      const state = query.get('state')
      const at = parseLocalTime(query.get('at'), merchants.zone(merchant))
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
            incidents: incidents.map((one) => toIncidentRowView(one, merchants, now())),
            older: next && `/incidents?${older}`,
          },
        },
      }
    },
  }
}

/** One of them, with what is known of its cause and requests to look at. */
export function createIncidentPage({ db, upstreams, merchants, now }: IncidentPagesParts): ConsolePage {
  return {
    ...{ method: 'GET', path: '/incidents/:id', role: 'support', live: true },
    async answer({ params }): Promise<TemplateResponse> {
      const found = await findIncident(db, params.id!)
      if (!found) return { template: 'incident-not-found', title: 'No such incident', view: {}, status: 404 }
      const { tenant, mode, system } = found
      const circuit = createCircuitPathLookup(upstreams)({ merchant: tenant, mode, system })
      const shown = toIncidentPageView(found, circuit, merchants, now())
      return { template: 'incident', title: `${shown.name}, ${shown.shop}`, view: shown }
    },
  }
}
