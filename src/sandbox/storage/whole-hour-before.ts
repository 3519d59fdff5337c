/** The full hour at least so many hours ago: several seeded changes share a time, as in a real back office. */
export function wholeHourBefore(now: Date, hoursAgo: number): string {
  const moment = new Date(now.getTime() - hoursAgo * 3_600_000)
  moment.setUTCMinutes(0, 0, 0)
  return moment.toISOString()
}
