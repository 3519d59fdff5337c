import type { Database } from '../../storage/database.ts'
import { searchRequestRecords } from '../../storage/diagnostics/search-request-records.ts'
import type { Incident } from './incidents.ts'
import { type RequestRecord, toRequestRecord } from './request-records.ts'

interface ResponseCount {
  /** `least` and `most` are equal if it is known that no response counts twice. */
  least: number
  most: number
  /** Refused with an error; `null`: not known, because a response may count in several sections. */
  refused: number | null
}

/** The degraded responses of all incidents of an outage. */
export interface OutageResponses extends ResponseCount {
  byRoute: Record<string, ResponseCount>
}

/** The maximum number of records to read, because a record is large. */
const MAX_RECORDS = 500

/** Counts the degraded responses of an outage. One that lacked several sections counts once, if the records of all of them are stored. */
export async function countOutageResponses(db: Database, incidents: readonly Incident[]): Promise<OutageResponses> {
  const ofIncidents = await readIncidentRecords(db, incidents)
  return ofIncidents ? countEach(new Set(ofIncidents.flat())) : estimate(incidents)
}

/** Returns the records of the degraded responses of each of these incidents of one system, the latest first; `null`: not all are stored. */
export async function readIncidentRecords(
  db: Database,
  incidents: readonly Incident[],
): Promise<RequestRecord[][] | null> {
  const sum = incidents.reduce((total, { answers }) => total + answers, 0)
  const records = sum > MAX_RECORDS * incidents.length ? [] : await readRecords(db, incidents)
  const ofIncidents = incidents.map((incident) => records.filter((record) => isOf(record, incident)))
  const isComplete = incidents.every(({ answers }, index) => ofIncidents[index]!.length === answers)
  return isComplete ? ofIncidents : null
}

async function readRecords(db: Database, incidents: readonly Incident[]): Promise<RequestRecord[]> {
  const { tenant: merchant, mode } = incidents[0]!
  const during = {
    from: new Date(Math.min(...incidents.map(({ beganAt }) => beganAt))).toISOString(),
    to: new Date(Math.max(...incidents.map(({ lastAt }) => lastAt))).toISOString(),
  }
  const rows = await searchRequestRecords(db, { merchant, mode, kinds: ['degraded'], during, limit: MAX_RECORDS })
  return rows.map(toRequestRecord)
}

const isOf = ({ at, sections }: RequestRecord, { system, section, beganAt, lastAt }: Incident) =>
  at >= beganAt &&
  at <= lastAt &&
  sections.some((one) => one.name === section && (one.system ?? '') === system && one.code !== null)

function countEach(records: ReadonlySet<RequestRecord>): OutageResponses {
  const count = (some: readonly RequestRecord[]): ResponseCount => ({
    least: some.length,
    most: some.length,
    refused: some.filter(({ status }) => status >= 400).length,
  })
  const byRoute = [...Map.groupBy(records, ({ route }) => route)].map(([route, some]) => [route, count(some)] as const)
  return { ...count([...records]), byRoute: Object.fromEntries(byRoute) }
}

/** Returns the range of the total: the same responses may count in several sections, or in only one. */
function estimate(incidents: readonly Incident[]): OutageResponses {
  const toRange = (counts: readonly number[]): ResponseCount => ({
    least: Math.max(...counts),
    most: counts.reduce((sum, count) => sum + count, 0),
    refused: null,
  })
  const seen = incidents.map(({ impact }) => impact?.seen ?? {})
  const routes = [...new Set(seen.flatMap(Object.keys))]
  const countOf = (route: string, index: number) =>
    Object.values(seen[index]![route] ?? {}).reduce((sum, count) => sum + count, 0)
  return {
    ...toRange(incidents.map(({ answers }) => answers)),
    byRoute: Object.fromEntries(
      routes.map((route) => [route, toRange(incidents.map((_, index) => countOf(route, index)))]),
    ),
  }
}
