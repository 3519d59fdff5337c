import { catalogPartNames } from '../../catalog/mirror/file/catalog-part-names.ts'
import type { TenantMirror } from '../../changes/mirror/tenant-mirror.ts'
import { UpstreamError } from '../../errors.ts'
import { failureKind } from '../../upstream/request/failure-kind.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { capitalize } from '../text/capitalize.ts'
import { adviceForFailure } from '../text/failure-kind-text.ts'
import { callAboutForecourt, type WhomToCall } from '../whom-to-call.ts'
import { callAboutParts } from './late-mirror-views.ts'
import { isPartOld, partSystems } from './late-mirrors.ts'

/** One failure of a mirror: what failed, what shoppers see, and what to do. */
export interface MirrorAdvice {
  text: string
  whom: WhomToCall
}

/** Says what to do about a mirror, in order. Until it follows the store, nothing that the systems say reaches it. */
export function adviseOnMirror(
  mirror: TenantMirror,
  maxAgeMs: number,
  merchants: MerchantDirectory,
  now: number,
): MirrorAdvice[] {
  const { merchant } = mirror.tenant
  const { failure } = mirror.status()
  const following = failure && {
    text: `This machine has not been able to follow Forecourt’s database since ${merchants.time(failure.since, merchant).text}: ${failure.message}. Shoppers see the catalog of that time, except parts below that are older. Tell whoever runs Forecourt to check the disk of this machine and Forecourt’s database. The mirror tries again by itself.`,
    whom: callAboutForecourt(merchants),
  }
  const reading = listFailingSystems(mirror, maxAgeMs, now).map(({ system, parts, asOf, kind }) => ({
    text: `${capitalize(system)} could not be read${asOf === null ? '' : ` since ${merchants.time(asOf, merchant).text}`}: ${kind}. ${describeParts(parts, asOf !== null)} ${adviceForFailure(kind)}${following ? ' This is what the mirror knew when it could follow last: new values are seen only after that is mended.' : ''}`,
    whom: callAboutParts(parts, mirror.tenant, merchants)[0]!,
  }))
  return [...(following ? [following] : []), ...reading]
}

const describeParts = (parts: readonly string[], areFilled: boolean) =>
  areFilled
    ? `Shoppers see ${parts.join(', ')} of that time; how many did is not counted.`
    : `The mirror has no ${parts.join(', ')} yet: each request reads them from the merchant’s systems.`

/** Groups the parts that are old or not filled, and could not be read, by their system. A part without one stands for itself. */
function listFailingSystems(mirror: TenantMirror, maxAgeMs: number, now: number) {
  const failing = catalogPartNames.flatMap((name) => {
    const state = mirror.partState(name)
    const [system, { asOf, failure }] = [partSystems[name] ?? name, state]
    const isUnread = !state.isFilled || isPartOld(state, maxAgeMs, now)
    return failure && isUnread ? [{ name, system, asOf: state.isFilled ? asOf : null, failure }] : []
  })
  return [...Map.groupBy(failing, ({ system, asOf }) => `${system} ${asOf}`).values()].map((group) => {
    const [{ system, asOf, failure }] = group as [(typeof group)[number]]
    return {
      system,
      parts: group.map(({ name }) => name),
      asOf,
      kind: failureKind(new UpstreamError(failure, failure)),
    }
  })
}
