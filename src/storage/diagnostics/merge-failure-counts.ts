/** Degraded responses by kind of failure: see `failureKind`. */
export type FailureCounts = Record<string, number>

/** More kinds than this count as one, whatever the systems respond. */
const MAX_KINDS = 12
const OTHER_KIND = 'other failures'

export function mergeFailureCounts(counts: FailureCounts, more: Readonly<FailureCounts>): FailureCounts {
  for (const [kind, count] of Object.entries(more)) {
    const counted = kind in counts || Object.keys(counts).length < MAX_KINDS ? kind : OTHER_KIND
    counts[counted] = (counts[counted] ?? 0) + count
  }
  return counts
}
