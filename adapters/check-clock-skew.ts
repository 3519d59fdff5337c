import type { DoctorFinding } from '../src/ports/doctor.ts'
import type { HttpResponse } from '../src/ports/http-client.ts'

const MAX_SKEW_MS = 30_000

/** Returns a warning when the clock of a system, as its Date header shows it, is more than 30 s off. */
export function checkClockSkew({ headers }: HttpResponse, now: Date): DoctorFinding[] {
  const systemTimeMs = Date.parse(String(headers.date ?? ''))
  const skewMs = systemTimeMs - now.getTime()
  if (Number.isNaN(skewMs) || Math.abs(skewMs) <= MAX_SKEW_MS) return []
  const finding = `the clock of the system is ${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} ours`
  return [
    {
      check: 'clock',
      severity: 'warning',
      finding,
      remedy: 'Synchronize both clocks by NTP: change feeds depend on them',
    },
  ]
}
