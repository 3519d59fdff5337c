import type { RequestRecord } from '../../../diagnostics/reports/request-records.ts'
import { nameSystem } from '../../../diagnostics/section-and-system-names.ts'
import { isStoreIncident } from '../../../diagnostics/status/is-store-incident.ts'
import type { IncidentReference } from '../../../storage/diagnostics/incident-queries.ts'
import { describeErrorCode, type ErrorCodeEntry, endedKeyText, toErrorCodeEntry } from '../../text/error-code-text.ts'
import { adviceForFailure, SIMULATED_FAILURE_ADVICE } from '../../text/failure-advice-text.ts'
import { capitalizeFailure, describeFailureWithReason } from '../../text/failure-kind-text.ts'
import { describeReachedLimit } from '../../text/rate-limit-text.ts'
import { nameRefusedSkus } from '../../text/sku-refusal-text.ts'
import { toShownCode } from './section-and-call-row-views.ts'

/** An unknown key has no id. */
export const hasEndedKey = ({ code, keyId }: RequestRecord) => code === 'invalid_api_key' && keyId !== null

const REFUSED_SKUS = 'This request was refused because of'
const REFUSED_SKUS_ADVICE =
  'The page of the product says what its systems have now. The cart is kept, and can be ordered once the product can be sold, or without it.'

interface ProblemContext {
  toTime: (at: number) => string
  incidents: readonly IncidentReference[]
}

/** Returns the texts of the problem of a response, with what is known of this request. */
export function toProblem(record: RequestRecord, code: string, { toTime, incidents }: ProblemContext): ErrorCodeEntry {
  const entry = toErrorCodeEntry(code)
  const { reachedLimit } = record
  if (hasEndedKey(record)) return { ...entry, ...endedKeyText }
  const limit = reachedLimit && describeReachedLimit(reachedLimit.name)
  if (reachedLimit && limit) {
    const until = toTime(record.at + reachedLimit.retryAfterSeconds * 1_000)
    return { ...entry, meaning: `${limit.meaning} The limit lasts until ${until}.`, advice: limit.advice }
  }
  const refused = nameRefusedSkus([record])
  if (code === 'line_unavailable' && record.skuRefusals && refused)
    return { ...entry, advice: `${REFUSED_SKUS} ${refused}. ${REFUSED_SKUS_ADVICE}` }
  const failed = findCausingSection(record)
  if (failed?.simulated) return { ...entry, advice: SIMULATED_FAILURE_ADVICE }
  // A code covers several failures; the section has the same advice.
  const [kind = ''] = code === 'store_unavailable' ? listStoreFailures(incidents) : [failed?.kind]
  // Storefronts get downstream_error for several failures.
  const { meaning } = failed?.code ? describeErrorCode(toShownCode(failed)) : entry
  return { ...entry, meaning, advice: adviceForFailure(kind) || entry.advice }
}

/** Returns how the system failed that caused the problem; `null`: no system did. */
export function toProblemCause(record: RequestRecord, incidents: readonly IncidentReference[]): string | null {
  if (record.code === 'store_unavailable') return describeStoreFailure(incidents)
  const failed = findCausingSection(record)
  return failed?.kind
    ? `${nameSystem(failed.system ?? '')}: ${describeFailureWithReason(failed.kind, failed.cause)}`
    : null
}

/** The code of the problem, if a required section fails with another one. */
const problemCodesBySection: Readonly<Record<string, string>> = {
  invalid_downstream_response: 'downstream_error',
  downstream_rate_limited: 'downstream_unavailable',
  not_configured: 'downstream_unavailable',
}

/** Finds the section that failed as the problem says. An optional one may have failed too, and is not the cause of, say, `internal_error`. */
const findCausingSection = ({ sections, status, code }: RequestRecord) =>
  status < 500
    ? undefined
    : sections.find(
        (section) =>
          section.kind !== undefined &&
          section.code !== null &&
          (problemCodesBySection[section.code] ?? section.code) === code,
      )

/** A refused request does not record why the store failed: its incident does. */
const listStoreFailures = (incidents: readonly IncidentReference[]): string[] =>
  Object.keys(JSON.parse(incidents.find(isStoreIncident)?.causes ?? '{}') as object)

export function describeStoreFailure(incidents: readonly IncidentReference[]): string | null {
  const kinds = listStoreFailures(incidents)
  return kinds.length === 0 ? null : kinds.map(capitalizeFailure).join(', ')
}
