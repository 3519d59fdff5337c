import type { TenantMirror } from '../../changes/mirror/tenant-mirror.ts'
import type { Tenant } from '../../tenant.ts'
import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'

export interface CatalogParts {
  upstreams: Pick<UpstreamRegistry, 'states'>
  mirrors: readonly Pick<TenantMirror, 'tenant' | 'isServing'>[]
}

/** The catalog of a merchant in one mode. */
export interface Catalog extends Tenant {
  /** This machine has a copy of it. */
  isCopied: boolean
}

/** Lists the catalogs that this server reads from an inventory. A merchant may have no sandbox, or nothing else. */
export function listCatalogs({ upstreams, mirrors }: CatalogParts): Catalog[] {
  const isCopied = ({ merchant, mode }: Tenant) =>
    mirrors.some(({ tenant, isServing }) => isServing && tenant.merchant === merchant && tenant.mode === mode)
  return upstreams
    .states()
    .filter(({ circuit }) => circuit === 'inventory')
    .map(({ merchant, mode }) => ({ merchant, mode, isCopied: isCopied({ merchant, mode }) }))
}
