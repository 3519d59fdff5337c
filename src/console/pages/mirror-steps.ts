import { catalogPartNames } from '../../catalog/mirror/file/catalog-part-names.ts'
import type { TenantMirror } from '../../changes/mirror/tenant-mirror.ts'
import { UpstreamError } from '../../errors.ts'
import { failureKind } from '../../upstream/request/failure-kind.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { adviceForFailure } from '../text/failure-kind-text.ts'
import { callAboutForecourt, callAboutSystem, type WhomToCall } from '../whom-to-call.ts'
import { isPartOld, partSystems } from './late-mirrors.ts'

/** One failure of a mirror: what failed, what shoppers see, and what to do. */
export interface MirrorStep {
  text: string
  whom: WhomToCall
}

/** Says what to do about a mirror, in order. Until it follows the store, nothing that the systems say reaches it. */
export function describeMirrorSteps(
  mirror: TenantMirror,
  maxAgeMs: number,
  merchants: MerchantDirectory,
  now: number,
): MirrorStep[] {
  const { merchant } = mirror.tenant
  const { failure } = mirror.status()
  const following = failure && {
    text: `This machine has not been able to follow Forecourt’s database since ${merchants.time(failure.since, merchant).text}: ${failure.message}. Shoppers see the catalog of that time, except parts below that are older. Tell whoever runs Forecourt to check the disk of this machine and Forecourt’s database. The mirror tries again by itself.`,
    whom: callAboutForecourt(merchants),
  }
  const reading = listFailingSystems(mirror, maxAgeMs, now).map(({ system, parts, asOf, kind }) => ({
    text: `${system} could not be read: ${kind}. Shoppers see ${parts.join(', ')} of ${merchants.time(asOf, merchant).text}. ${adviceForFailure(kind)}${following ? ' This is what the mirror knew when it could follow last: new values are seen only after that is mended.' : ''}`,
    whom: callAboutSystem(merchants, mirror.tenant, system),
  }))
  return [...(following ? [following] : []), ...reading]
}

/** Groups the old parts that could not be read by their system. */
function listFailingSystems(mirror: TenantMirror, maxAgeMs: number, now: number) {
  const failing = catalogPartNames.flatMap((name) => {
    const state = mirror.partState(name)
    const [system, { asOf, failure }] = [partSystems[name], state]
    return system && failure && isPartOld(state, maxAgeMs, now) ? [{ name, system, asOf, failure }] : []
  })
  return [...Map.groupBy(failing, ({ system }) => system)].map(([system, group]) => {
    const [{ failure }] = group as [(typeof group)[number]]
    return {
      system,
      parts: group.map(({ name }) => name),
      asOf: Math.min(...group.map(({ asOf }) => asOf)),
      kind: failureKind(new UpstreamError(failure, failure)),
    }
  })
}
