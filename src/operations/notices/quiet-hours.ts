import type { QuietHours } from '../../config/notification-channel.ts'

/** Returns when a message may be sent that is ready at `at`: then, or at the end of the quiet hours. */
export function afterQuietHours(at: number, quiet: QuietHours | null): number {
  if (!quiet) return at
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(quiet.timeZone)
  const [time, from, to] = [local.toPlainTime(), quiet.from, quiet.to].map((one) => Temporal.PlainTime.from(one))
  const isAfter = (one: Temporal.PlainTime, other: Temporal.PlainTime) => Temporal.PlainTime.compare(one, other) >= 0
  const crossesMidnight = isAfter(from!, to!)
  const isQuiet = crossesMidnight
    ? isAfter(time!, from!) || !isAfter(time!, to!)
    : isAfter(time!, from!) && !isAfter(time!, to!)
  if (!isQuiet) return at
  const isTomorrow = crossesMidnight && isAfter(time!, from!)
  const day = local.toPlainDate().add({ days: isTomorrow ? 1 : 0 })
  return day.toZonedDateTime({ timeZone: quiet.timeZone, plainTime: to! }).epochMilliseconds
}
