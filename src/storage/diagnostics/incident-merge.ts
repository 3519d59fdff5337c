import type { IncidentSample } from './incident-updates.ts'

const FIRST = 3
const LAST = 5

/** Both JSON and the sum are by code of `errors[]`. */
export function mergeIncidentCodes(stored: string, more: Readonly<Record<string, number>>): string {
  const codes = JSON.parse(stored) as Record<string, number>
  for (const [code, count] of Object.entries(more)) codes[code] = (codes[code] ?? 0) + count
  return JSON.stringify(codes)
}

/** The first few of all and the last few, in order of time. */
export function mergeIncidentSamples(stored: string, more: readonly IncidentSample[]): string {
  return JSON.stringify(limitIncidentSamples([...(JSON.parse(stored) as IncidentSample[]), ...more]))
}

export function limitIncidentSamples(all: readonly IncidentSample[]): IncidentSample[] {
  const inOrder = all.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return inOrder.length <= FIRST + LAST ? inOrder : [...inOrder.slice(0, FIRST), ...inOrder.slice(-LAST)]
}
