/** The full hour that lies at least so many hours back: what is changed by hand shares its moments. */
export function wholeHourBefore(now: Date, hoursAgo: number): string {
  const moment = new Date(now.getTime() - hoursAgo * 3_600_000)
  moment.setUTCMinutes(0, 0, 0)
  return moment.toISOString()
}
