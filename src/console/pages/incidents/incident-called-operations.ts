import type { IncidentDetail } from '../../../diagnostics/reports/incident-detail.ts'
import { type RequestRecord, readRequestRecords } from '../../../diagnostics/reports/request-records.ts'
import { nameSystem } from '../../../diagnostics/section-and-system-names.ts'
import type { Database } from '../../../storage/database.ts'
import { describeCalledOperation } from '../../text/called-operation-text.ts'

/** Sample requests whose calls are read. */
const MAX_SAMPLES = 6

/** Describes which calls of the sample requests failed and which succeeded: a system may refuse only orders. Empty: no failed call is known. */
export async function readCalledOperations(
  db: Database,
  { system, tenant, mode, samples, beganAt, lastAt }: IncidentDetail,
): Promise<string> {
  const records: RequestRecord[] = []
  // One after another, because checkouts need the connections too.
  for (const { requestId } of samples.slice(0, MAX_SAMPLES)) records.push(...(await readRequestRecords(db, requestId)))
  // Clients may repeat ids.
  const isOwn = (record: RequestRecord) => record.tenant === tenant && record.mode === mode
  const own = records.filter((record) => isOwn(record) && record.at >= beganAt && record.at <= lastAt)
  return describeCalledOperations(system, own)
}

function describeCalledOperations(system: string, records: readonly Pick<RequestRecord, 'calls'>[]): string {
  const calls = records.flatMap((record) => record.calls).filter((call) => call.system === system && call.attempts > 0)
  const namesOf = (outcomes: typeof calls) =>
    [...new Set(outcomes.map(({ operation }) => describeCalledOperation(system, operation)))].join(', ')
  const failed = calls.filter(({ outcome }) => outcome !== 'ok' && outcome !== 'pending')
  if (failed.length === 0) return ''
  const failedOperations = new Set(failed.map(({ operation }) => operation))
  const succeeded = calls.filter(({ outcome, operation }) => outcome === 'ok' && !failedOperations.has(operation))
  const others = succeeded.length === 0 ? '' : ` These succeeded: ${namesOf(succeeded)}.`
  return `In the sample requests, these calls to ${nameSystem(system)} failed: ${namesOf(failed)}.${others}`
}
