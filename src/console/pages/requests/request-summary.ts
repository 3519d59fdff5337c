import { isOfDemoShop } from '../../../diagnostics/demo-shop-route.ts'
import type { RequestRecord } from '../../../diagnostics/reports/request-records.ts'
import { nameSystem } from '../../../diagnostics/section-and-system-names.ts'
import { describeCheckoutResponse } from '../../text/checkout-response-text.ts'
import { describeErrorCode, endedKeyText } from '../../text/error-code-text.ts'
import { describeFailedCall, listUnseenFailedCalls } from '../../text/failed-call-text.ts'
import { describeFailureWithReason } from '../../text/failure-kind-text.ts'
import { formatElapsedMs } from '../../text/format-durations.ts'
import { describeReachedLimit } from '../../text/rate-limit-text.ts'
import { describeSection } from '../../text/section-text.ts'

type Section = RequestRecord['sections'][number]

/** Summarizes a request in a sentence or two. */
export function summarizeRequest(record: RequestRecord): string {
  const { kind, sections, code, status, ms, deadlineMs, keyId, reachedLimit } = record
  const limit = reachedLimit && describeReachedLimit(reachedLimit.name)
  const deadline = deadlineMs === null ? '' : ` (deadline ${formatElapsedMs(deadlineMs)})`
  const response = `The response was ${status} after ${formatElapsedMs(ms)}${deadline}.`
  const meaning =
    code === 'invalid_api_key' && keyId !== null ? endedKeyText.meaning : code && describeErrorCode(code).meaning
  if (isOfDemoShop(record))
    return `${response} It is what the API returned to the server of the demo shop, which recorded why under the same id.`
  const checkout = describeCheckoutResponse(record)
  const inWords = (...sentences: string[]) => [response, ...sentences].filter(Boolean).join(' ')
  if (kind === 'refused') return inWords(limit?.meaning ?? meaning ?? '', checkout)
  const failures = sections.filter((section) => section.code !== null && section.code !== 'not_configured')
  if (failures.length > 0) return inWords(`${failures.map(summarizeFailure).join('; ')}.`, checkout)
  const failedCalls = listUnseenFailedCalls(record).map(describeFailedCall).join('; ')
  return inWords(code ? describeErrorCode(code).meaning : '', failedCalls && `A call failed: ${failedCalls}.`, checkout)
}

function summarizeFailure({ name, system, code, kind, cause, staleAsOf }: Section): string {
  const section = `${describeSection(system ?? '', name).name} (${nameSystem(system ?? '')})`
  const codeName = describeErrorCode(code!).name.toLowerCase()
  const failure = kind === undefined ? codeName : describeFailureWithReason(kind, cause)
  const reason = code === 'circuit_open' && failure !== codeName ? `${codeName} after: ${failure}` : failure
  return staleAsOf === null ? `${section}: ${reason}` : `${section}: older value (${reason})`
}
