import { type CatalogPartName, catalogPartNames } from '../../../catalog/mirror/file/catalog-part-names.ts'
import type { TenantMirror } from '../../../changes/mirror/tenant-mirror.ts'
import type { MerchantConfig } from '../../../config/merchant-config.ts'
import type { System } from '../../../ports/system.ts'
import type { Tenant } from '../../../tenant.ts'
import type { MirrorPartState } from '../../../upstream/mirror/catalog-mirror.ts'
import type { LateMirrorFacts, OldPart } from '../../text/late-mirror-text.ts'

/** A mirror that cannot follow the store, or has a part that is older than its merchant allows. */
export interface LateMirror extends Tenant, LateMirrorFacts {
  /** When it failed first, or a part became too old. */
  since: number
}

/** The system that each part is read from; fitment and references may be imported. */
export const partSystems: Readonly<Partial<Record<CatalogPartName, System>>> = {
  products: 'inventory',
  stock: 'inventory',
  categories: 'inventory',
  tags: 'inventory',
  prices: 'pricing',
  taxes: 'accounting',
}

export const isPartOld = ({ isFilled, asOf }: MirrorPartState, maxAgeMs: number, now: number): boolean =>
  isFilled && now - asOf > maxAgeMs

export function listLateMirrors(
  mirrors: readonly TenantMirror[],
  configuredMerchants: readonly MerchantConfig[],
  now: number,
): LateMirror[] {
  return mirrors.flatMap((mirror) => {
    const configured = configuredMerchants.find(({ merchant }) => merchant === mirror.tenant.merchant)
    const maxAgeMs = configured?.mirror?.maxAgeMs ?? 0
    const oldParts = listOldParts(mirror, maxAgeMs, now)
    const { failure } = mirror.status()
    const since = [...oldParts.map(({ asOf }) => asOf + maxAgeMs), failure?.since ?? Infinity]
    return Math.min(...since) === Infinity
      ? []
      : [{ ...mirror.tenant, since: Math.min(...since), oldParts, maxAgeMs, failure }]
  })
}

/** A mirror without parts that could not be read yet: each request reads them from the systems. */
export interface UnfilledMirror extends Tenant {
  parts: CatalogPartName[]
}

export function listUnfilledMirrors(mirrors: readonly TenantMirror[]): UnfilledMirror[] {
  return mirrors.flatMap((mirror) => {
    const parts = catalogPartNames.filter((name) => {
      const { isFilled, failure } = mirror.partState(name)
      return !isFilled && failure !== null
    })
    return parts.length === 0 ? [] : [{ ...mirror.tenant, parts }]
  })
}

/** A mirror with parts that are current, although the last read of their system failed. */
export interface UnreadMirror extends Tenant {
  parts: CatalogPartName[]
  /** When the first of them is out of date, unless a read succeeds before then. */
  dueAt: number
}

export function listUnreadMirrors(
  mirrors: readonly TenantMirror[],
  configuredMerchants: readonly MerchantConfig[],
  now: number,
): UnreadMirror[] {
  return mirrors.flatMap((mirror) => {
    const configured = configuredMerchants.find(({ merchant }) => merchant === mirror.tenant.merchant)
    const maxAgeMs = configured?.mirror?.maxAgeMs ?? 0
    const unread = catalogPartNames
      .map((name) => ({ name, state: mirror.partState(name) }))
      .filter(({ state }) => state.failure !== null && state.isFilled && !isPartOld(state, maxAgeMs, now))
    const dueAt = Math.min(...unread.map(({ state }) => state.asOf + maxAgeMs))
    return unread.length === 0 ? [] : [{ ...mirror.tenant, parts: unread.map(({ name }) => name), dueAt }]
  })
}

export const listOldParts = (mirror: TenantMirror, maxAgeMs: number, now: number): OldPart[] =>
  catalogPartNames
    .map((name) => ({ name, ...mirror.partState(name) }))
    .filter((state) => isPartOld(state, maxAgeMs, now))
    .map(({ name, asOf }) => ({ name, asOf }))
