import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { isIncidentInactive } from '../../diagnostics/status/is-incident-inactive.ts'
import { describeFailure } from './failure-kind-text.ts'
import type { DisplayTime } from './format-times.ts'
import { mergeTimeoutCauses } from './merge-timeout-causes.ts'

export interface LaterFailureParts {
  /** What failed: a system, or the store. */
  name: string
  /** When it was seen to work again (milliseconds since the epoch); `null`: never. */
  workedAt: number | null
  /** What to do about the incident that ended, if its system does not fail now. */
  advice: string
  toTime: (at: number) => DisplayTime
  now: number
}

/** Says of an incident that ended that its system has failed after it. A link to the later incident follows. */
export function describeLaterFailure(
  { lastAt }: Pick<Incident, 'lastAt'>,
  later: Incident,
  { name, workedAt, advice, toTime, now }: LaterFailureParts,
): string {
  const over =
    workedAt === null
      ? 'This incident is over.'
      : `This incident is over: ${name} worked again at ${toTime(workedAt).text} at the latest.`
  const isOngoing = later.endedAt === null && !isIncidentInactive(later, now)
  const isNew = later.beganAt > (workedAt ?? lastAt)
  const before = isOngoing ? over : `${over} ${advice}`
  return `${before} ${isNew ? describeNewFailure(later, name, isOngoing, toTime) : describeOtherPart(later, name, isOngoing, toTime)}:`
}

/** Without causes, an operator may have stopped the calls. */
function describeNewFailure(
  { beganAt, causes }: Incident,
  name: string,
  isOngoing: boolean,
  toTime: LaterFailureParts['toTime'],
): string {
  const since = toTime(beganAt).text
  const cause = causes.length === 0 ? '' : ` (${describeFailure(mergeTimeoutCauses(causes)[0]!.kind)})`
  if (causes.length === 0) return `Responses ${isOngoing ? 'have been' : 'were'} degraded again from ${since} on`
  return isOngoing
    ? `But ${name} has failed again since ${since}${cause}`
    : `But ${name} failed again at ${since}${cause}`
}

const describeOtherPart = (
  { lastAt }: Incident,
  name: string,
  isOngoing: boolean,
  toTime: LaterFailureParts['toTime'],
): string =>
  isOngoing
    ? `But another part that needs ${name} is still degraded`
    : `But another part that needs ${name} was degraded after that, last at ${toTime(lastAt).text}`
