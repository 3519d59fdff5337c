import type { Downtime } from '../../diagnostics/reports/downtimes.ts'

/** Says from when to when Forecourt did not run, and what that meant. */
export function describeDowntime({ fromMs, isStopped, toMs }: Downtime, toTime: (ms: number) => string): string {
  const until = `${toTime(toMs)}, when it started again`
  const effect = 'Requests of this time got no response from Forecourt, and are not recorded.'
  if (fromMs === null) return `Forecourt did not run until ${until}. Since when is not known. ${effect}`
  const end = isStopped ? 'when it was stopped' : 'its last sign of life: it was killed, or its machine failed'
  return `Forecourt did not run from ${toTime(fromMs)} (${end}) to ${until}. ${effect}`
}
