import type { FailureCount } from '../../upstream/guard/recent-failure-kinds.ts'

const TIMED = /^(no response in|incomplete response after) (\d+) ms$/

/** Returns failures that differ only in how long a call was waited for as one: `no response in 650 to 700 ms`. The most frequent are first. */
export const mergeTimeoutCauses = (causes: readonly FailureCount[]): FailureCount[] =>
  [...Map.groupBy(causes, ({ kind }) => TIMED.exec(kind)?.[1] ?? kind)]
    .map(([name, group]) => ({
      kind: group.length === 1 ? group[0]!.kind : `${name} ${describeRange(group)} ms`,
      count: group.reduce((sum, { count }) => sum + count, 0),
    }))
    .toSorted((one, other) => other.count - one.count)

function describeRange(group: readonly FailureCount[]): string {
  const times = group.map(({ kind }) => Number(TIMED.exec(kind)![2]))
  return `${Math.min(...times)} to ${Math.max(...times)}`
}
