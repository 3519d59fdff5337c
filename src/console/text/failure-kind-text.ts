import { capitalize } from './capitalize.ts'

/** Kinds and causes that name the circuit, which is a term of engineers. */
const plainKinds: readonly (readonly [RegExp, string])[] = [
  [/^circuit open/, 'calls paused'],
  [/^circuit held open/, 'calls stopped by an operator'],
  [/^circuit held/, 'calls stopped by an operator'],
  // Shops are called stores as well.
  [/\bthe store\b/, 'Forecourt’s database'],
]

/** Returns a kind of failure, or the cause of one, in plain words. */
export function describeFailure(kind: string): string {
  const [pattern, text] = plainKinds.find(([known]) => known.test(kind)) ?? []
  return pattern && text ? kind.replace(pattern, text) : kind
}

/** Matches a cause that has a status with its reason. */
const REASONED_STATUS = /^responded (with|\d{3}:) /

/** Returns the cause of a failure if it says more than its kind: a setting, or the reason that the system gave. */
export const describeFailureWithReason = (kind: string, cause: string | null): string =>
  cause !== null && (kind === 'wrong setting' || REASONED_STATUS.test(cause)) ? cause : describeFailure(kind)

/** Returns a kind of failure as the beginning of a sentence or cell. */
export const capitalizeFailure = (kind: string): string => capitalize(describeFailure(kind))
