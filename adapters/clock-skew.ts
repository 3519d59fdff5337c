import type { Finding, HttpResponse } from '../src/ports/adapter.ts'

const SKEW_MS = 30_000

/** Whether a system's clock, as its answers tell it, is far from ours. */
export function checkClockSkew({ headers }: HttpResponse, now: Date): Finding[] {
  const theirs = Date.parse(String(headers.date ?? ''))
  const apart = theirs - now.getTime()
  if (Number.isNaN(apart) || Math.abs(apart) <= SKEW_MS) return []
  const finding = `the clock of the system is ${Math.round(Math.abs(apart) / 1_000)} s ${apart > 0 ? 'ahead of' : 'behind'} ours`
  return [
    { check: 'clock', severity: 'warning', finding, remedy: 'Set both clocks by NTP: changes are followed by them' },
  ]
}
