import { listIncidents } from '../../../diagnostics/reports/incidents.ts'
import type { ConsolePage, TemplateResponse } from '../../console-page.ts'
import { isErrorCode, toErrorCodeEntry } from '../../text/error-code-text.ts'
import { readOrderEvidence } from '../incidents/incident-order-evidence.ts'
import { toIncidentRowView } from '../incidents/incident-row-view.ts'
import { readRefusedKeyIncidentNames } from '../incidents/refused-key-incident-names.ts'
import type { LookupPageParts } from './lookup-page-dependencies.ts'
import { createLookupNotFound } from './served-tenant.ts'

/** The latest incidents are searched for the code, and the latest of those are shown. */
const MAX_SEARCHED = 1_000
const MAX_ROWS = 25

/** Creates the page of a code: what it means, what to do, and the latest incidents that have it. */
export function createCodePage({ db, merchants, now }: LookupPageParts): ConsolePage {
  return {
    method: 'GET',
    path: '/codes/:code',
    role: 'support',
    async respond({ params }): Promise<TemplateResponse> {
      const code = params.code!.toLowerCase()
      if (!isErrorCode(code)) throw createLookupNotFound('code')
      const { incidents } = await listIncidents(db, { limit: MAX_SEARCHED, merchants: merchants.ids })
      const found = incidents.filter(({ codes }) => codes.some((entry) => entry.code === code)).slice(0, MAX_ROWS)
      const orders = await readOrderEvidence(db, found, merchants)
      const keyNames = await readRefusedKeyIncidentNames(db, found)
      const view = {
        ...toErrorCodeEntry(code),
        incidents: found.map((incident) => ({
          ...toIncidentRowView(incident, merchants.inOneTimeZone, now(), orders.get(incident.incidentId)),
          ...(keyNames.has(incident.incidentId) && { section: keyNames.get(incident.incidentId)! }),
        })),
      }
      return { template: 'code', title: view.name, view }
    },
  }
}
