import type { CatalogPartName } from '../../../catalog/mirror/file/catalog-part-names.ts'
import type { StoreOutage } from '../../../storage/store-monitor.ts'
import type { Tenant } from '../../../tenant.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toMirrorPath } from '../../page-paths.ts'
import { capitalize } from '../../text/capitalize.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { describeLateMirror } from '../../text/late-mirror-text.ts'
import { callAboutForecourt, callAboutMerchant, callAboutSystem, type WhomToCall } from '../../whom-to-call.ts'
import { type LateMirror, partSystems, type UnfilledMirror, type UnreadMirror } from './mirror-warnings.ts'

/** A mirror that is out of date or not updated, as Now shows it. */
export interface LateMirrorView {
  name: string
  href: string
  /** As in *Mirrors*: `Out of date`, `Not updated` or both. */
  state: string
  /** From when the parts are that shoppers see. */
  seen: string
  whom: WhomToCall[]
}

export interface UnfilledMirrorView {
  name: string
  href: string
  /** Those that could not be read, and parts that may be imported. */
  systems: string
  whom: WhomToCall[]
}

export function toLateMirrorView(
  late: LateMirror,
  storeOutage: StoreOutage | null,
  merchants: MerchantDirectory,
): LateMirrorView {
  const causes = describeLateMirror(late, storeOutage, (at) => merchants.time(at, late.merchant))
  const kinds = new Set(causes.map(({ kind }) => kind))
  return {
    name: nameMirror(late, merchants),
    href: toMirrorPath(late),
    state: capitalize([...kinds].join(', ')),
    seen: causes.map(({ text }) => text).join(' '),
    whom: callAboutMirror(late, merchants),
  }
}

export const toUnfilledMirrorView = (mirror: UnfilledMirror, merchants: MerchantDirectory): UnfilledMirrorView => ({
  name: nameMirror(mirror, merchants),
  href: toMirrorPath(mirror),
  systems: [...new Set(mirror.parts.map((name) => partSystems[name] ?? name))].join(', '),
  whom: callAboutParts(mirror.parts, mirror, merchants),
})

export interface UnreadMirrorView extends Omit<UnfilledMirrorView, 'systems'> {
  parts: string
  dueAt: DisplayTime
}

export const toUnreadMirrorView = (mirror: UnreadMirror, merchants: MerchantDirectory): UnreadMirrorView => ({
  name: nameMirror(mirror, merchants),
  href: toMirrorPath(mirror),
  parts: mirror.parts.join(', '),
  dueAt: merchants.time(mirror.dueAt, mirror.merchant),
  whom: callAboutParts(mirror.parts, mirror, merchants),
})

const nameMirror = ({ merchant, mode }: Tenant, merchants: MerchantDirectory) => `${merchants.name(merchant)} (${mode})`

/** About this machine, which comes first, and about the systems of old parts. */
function callAboutMirror(late: LateMirror, merchants: MerchantDirectory): WhomToCall[] {
  const others = callAboutParts(
    late.oldParts.map(({ name }) => name),
    late,
    merchants,
  )
  return late.failure ? [callAboutForecourt(merchants), ...others] : others
}

/** About the systems of these parts, and about the merchant for parts that may be imported. */
export function callAboutParts(
  parts: readonly CatalogPartName[],
  tenant: Tenant,
  merchants: MerchantDirectory,
): WhomToCall[] {
  const systems = new Set(parts.map((name) => partSystems[name] ?? null))
  return [...systems].map((system) =>
    system === null ? callAboutMerchant(merchants, tenant.merchant) : callAboutSystem(merchants, tenant, system),
  )
}
