import type { SectionTrace } from '../../sections/section-trace.ts'
import type { DegradedEffect } from '../../storage/diagnostics/degraded-response-counts.ts'
import { addToImpact, createImpact } from '../../storage/diagnostics/incident-impact.ts'
import type { IncidentUpdate } from '../../storage/diagnostics/incident-updates.ts'
import { mergeFailureCounts } from '../../storage/diagnostics/merge-failure-counts.ts'
import { EVERY_MERCHANT, type IncidentKey } from '../../storage/diagnostics/open-incidents.ts'
import type { FinishedRequest } from '../finished-request.ts'
import { iso } from './iso-time.ts'

/** Returns an update without responses. */
export const createIncidentUpdate = (key: IncidentKey, at: number): IncidentUpdate => ({
  ...key,
  first_at: iso(at),
  last_at: iso(at),
  answers: 0,
  codes: {},
  causes: {},
  samples: [],
})

const MAX_SAMPLES = 24
/** How many of the first and of the last samples stay when there are too many. */
const [FIRST_SAMPLES, LAST_SAMPLES] = [4, 8]

type DegradedSection = Pick<SectionTrace, 'name' | 'code' | 'outcome' | 'kind'> &
  Partial<Pick<SectionTrace, 'staleAsOf' | 'mirrored'>>

/** A checkout that accounting has not confirmed succeeds: the order is stored, and waits. */
function toDegradedEffect(
  { name, code, staleAsOf }: DegradedSection,
  { route, status }: FinishedRequest,
): DegradedEffect {
  if (status >= 400) return 'refused'
  if (route === 'checkout' && name === 'checkout') return 'unconfirmed'
  if (staleAsOf != null) return 'older'
  return code === 'partial_result' ? 'partial' : 'missing'
}

/** Adds a degraded response to an update. */
export function addDegradedResponse(
  update: IncidentUpdate,
  section: DegradedSection,
  request: FinishedRequest,
  at: number,
) {
  const { requestId, tenant, route, status, customerId, clientAddress, cartId = null } = request
  // Clients see downstream_error: whether a login or a setting must be corrected is for support only.
  const isForSupport = section.outcome === 'unauthorized' || section.outcome === 'misconfigured'
  const code = isForSupport ? section.outcome : (section.code ?? section.outcome)
  const time = iso(at)
  update.answers += 1
  update.codes[code] = (update.codes[code] ?? 0) + 1
  if (section.kind !== undefined) mergeFailureCounts(update.causes, { [section.kind]: 1 })
  if (time > update.last_at) update.last_at = time
  update.impact ??= createImpact()
  const staleMs = section.staleAsOf == null ? null : Math.max(0, at - section.staleAsOf)
  const isRefusedCheckout = route === 'checkout' && status >= 400
  addToImpact(update.impact, {
    shopper: customerId ?? clientAddress,
    cartId,
    isRefusedCheckout,
    route,
    effect: toDegradedEffect(section, request),
    merchant: update.tenant_id === EVERY_MERCHANT ? tenant : null,
    staleMs,
    ...(section.mirrored && section.staleAsOf != null && { mirrorAsOf: section.staleAsOf }),
  })
  const { kind } = section
  update.samples.push({ request_id: requestId, at: time, code, route, ...(kind !== undefined && { kind }) })
  if (update.samples.length > MAX_SAMPLES)
    update.samples.splice(FIRST_SAMPLES, update.samples.length - LAST_SAMPLES - FIRST_SAMPLES)
}
