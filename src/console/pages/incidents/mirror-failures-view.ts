import { catalogPartNames } from '../../../catalog/mirror/file/catalog-part-names.ts'
import type { PartFailure } from '../../../changes/mirror/read-store-catalog-state.ts'
import type { TenantMirror } from '../../../changes/mirror/tenant-mirror.ts'
import { UpstreamError } from '../../../errors.ts'
import { failureKind } from '../../../upstream/request/failure-kind.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toMirrorPath } from '../../page-paths.ts'
import { describeFailure } from '../../text/failure-kind-text.ts'
import type { LateMirror } from '../mirrors/mirror-warnings.ts'
import type { FailureBesideIncidentView } from './failures-beside-incidents-view.ts'

interface Period {
  from: number
  to: number
}

export const isFailingDuring = ({ fromMs, untilMs }: PartFailure, { from, to }: Period): boolean =>
  fromMs <= to && (untilMs ?? Number.POSITIVE_INFINITY) >= from

/** Lists the background reads that failed in a period, except those of a mirror that is still out of date: these are listed with the mirror. */
export function listMirrorFailures(
  mirrors: readonly TenantMirror[],
  lateMirrors: readonly LateMirror[],
  during: Period,
  merchants: MerchantDirectory,
): FailureBesideIncidentView[] {
  return mirrors.flatMap((mirror) => {
    const { merchant, mode } = mirror.tenant
    const late = lateMirrors.find((one) => one.merchant === merchant && one.mode === mode)
    const failed = catalogPartNames.flatMap((name) => {
      const failure = mirror.latestFailure(name)
      if (failure === null || !isFailingDuring(failure, during)) return []
      const isListed = failure.untilMs === null && late?.oldParts.some((old) => old.name === name)
      return isListed ? [] : [{ name, failure }]
    })
    return mergeOverlapping(failed).map((group) => {
      const { failure } = group[0]!.failure
      const ends = group.map((one) => one.failure.untilMs)
      const period = {
        failure,
        fromMs: Math.min(...group.map((one) => one.failure.fromMs)),
        untilMs: ends.includes(null) ? null : Math.max(...ends.map(Number)),
      }
      const names = listFormat.format(group.map(({ name }) => name))
      const failing = describePeriod(period, (ms) => merchants.time(ms, merchant).text)
      return {
        at: merchants.time(period.fromMs, merchant),
        text: `Catalog mirror of ${merchants.name(merchant)} (${mode}): reads of ${names} in the background ${failing}. Shoppers saw earlier values. An incident begins only if these become too old`,
        href: toMirrorPath(mirror.tenant),
      }
    })
  })
}

interface FailedPart {
  name: string
  failure: PartFailure
}

/** Merges failures that overlap: when a system fails, the reads of its parts fail one after another. */
function mergeOverlapping(failed: readonly FailedPart[]): FailedPart[][] {
  const groups: FailedPart[][] = []
  for (const part of failed.toSorted((one, other) => one.failure.fromMs - other.failure.fromMs)) {
    const isSame = (one: FailedPart) =>
      one.failure.failure === part.failure.failure &&
      isFailingDuring(one.failure, { from: part.failure.fromMs, to: part.failure.fromMs })
    const group = groups.find((others) => others.some(isSame))
    if (group) group.push(part)
    else groups.push([part])
  }
  return groups
}

function describePeriod({ failure, fromMs, untilMs }: PartFailure, toTime: (ms: number) => string): string {
  const reason = describeFailure(failureKind(new UpstreamError(failure, failure)))
  return untilMs === null
    ? `have failed since ${toTime(fromMs)} (${reason})`
    : `failed from ${toTime(fromMs)} to ${toTime(untilMs)} (${reason}), and have succeeded since`
}

const listFormat = new Intl.ListFormat('en')
