import { dirname } from 'node:path'
import { type CatalogPartName, catalogPartNames } from '../../catalog/mirror/file/catalog-part-names.ts'
import { readMirrorSwitch } from '../../catalog/mirror/file/mirror-location.ts'
import type { TenantMirror } from '../../changes/mirror/tenant-mirror.ts'
import type { MerchantConfig } from '../../config/config.ts'
import { UpstreamError } from '../../errors.ts'
import type { System } from '../../ports/system.ts'
import type { Tenant } from '../../tenant.ts'
import type { MirrorPartState } from '../../upstream/mirror/catalog-mirror.ts'
import { failureKind } from '../../upstream/request/failure-kind.ts'
import type { ConsolePage } from '../console-page.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { adviceForFailure, capitalizeFailure } from '../text/failure-kind-text.ts'
import { formatDuration } from '../text/format-durations.ts'
import { formatNumber } from '../text/format-numbers.ts'
import { callAboutForecourt, callAboutSystem } from '../whom-to-call.ts'

export interface MirrorPageParts {
  mirrors: readonly TenantMirror[]
  merchants: MerchantDirectory
  configuredMerchants: readonly MerchantConfig[]
  now: () => number
}

const BYTES_PER_MIB = 1_048_576

export interface LateMirror extends Tenant {
  /** When it failed first, or a part became too old. */
  since: number
}

/** Lists the merchants whose mirror cannot follow the store, or has a part that is older than its merchant allows. */
export function listLateMirrors(
  mirrors: readonly TenantMirror[],
  configuredMerchants: readonly MerchantConfig[],
  now: number,
): LateMirror[] {
  return mirrors.flatMap((mirror) => {
    const configured = configuredMerchants.find(({ merchant }) => merchant === mirror.tenant.merchant)
    const maxAgeMs = configured?.mirror?.maxAgeMs ?? 0
    const oldParts = catalogPartNames
      .map((name) => mirror.partState(name))
      .filter((state) => isPartOld(state, maxAgeMs, now))
    const since = [...oldParts.map(({ asOf }) => asOf + maxAgeMs), mirror.status().failure?.since ?? Infinity]
    return Math.min(...since) === Infinity ? [] : [{ ...mirror.tenant, since: Math.min(...since) }]
  })
}

const isPartOld = ({ isFilled, asOf }: MirrorPartState, maxAgeMs: number, now: number) =>
  isFilled && now - asOf > maxAgeMs

/** The system that each part is read from; fitment and references may be imported. */
const partSystems: Readonly<Partial<Record<CatalogPartName, System>>> = {
  products: 'inventory',
  stock: 'inventory',
  categories: 'inventory',
  tags: 'inventory',
  prices: 'pricing',
  taxes: 'accounting',
}

/** Creates the page of the catalog mirrors: how old each part is, and whether this process can follow the store. */
export function createMirrorPage({ mirrors, merchants, configuredMerchants, now }: MirrorPageParts): ConsolePage {
  const maxAgeMs = new Map(configuredMerchants.map(({ merchant, mirror }) => [merchant, mirror?.maxAgeMs ?? 0]))
  const toView = (mirror: TenantMirror) =>
    toMirrorView(mirror, merchants.inOneTimeZone, maxAgeMs.get(mirror.tenant.merchant)!, now())
  return {
    method: 'GET',
    path: '/mirrors',
    role: 'support',
    isLive: true,
    respond: async () => ({ template: 'mirrors', title: 'Mirrors', view: { mirrors: mirrors.map(toView) } }),
  }
}

function toMirrorView(mirror: TenantMirror, merchants: MerchantDirectory, maxAgeMs: number, now: number) {
  const { merchant, mode } = mirror.tenant
  const { path, rows, bytes, lagMs, failure } = mirror.status()
  const switchedAt = path === null ? null : readMirrorSwitch(dirname(path))
  const parts = catalogPartNames.map((name) => {
    const state = mirror.partState(name)
    const { isFilled, asOf, failure: cause } = state
    const isOld = isPartOld(state, maxAgeMs, now)
    const system = partSystems[name]
    const kind = cause && failureKind(new UpstreamError(cause, cause))
    return {
      name,
      age: isFilled ? formatDuration(Math.max(0, now - asOf)) : '–',
      asOf: isOld ? merchants.time(asOf, merchant) : null,
      whom: cause && system ? callAboutSystem(merchants, { merchant, mode }, system) : null,
      pill: toPill(isFilled, isOld, failure !== null),
      cause: kind && capitalizeFailure(kind),
      advice: kind && adviceForFailure(kind),
    }
  })
  return {
    id: `${merchant}-${mode}`,
    merchantName: merchants.name(merchant),
    mode,
    isServing: mirror.isServing,
    rows: formatNumber(rows),
    size: `${formatNumber(Math.ceil(bytes / BYTES_PER_MIB))} MiB`,
    lag: lagMs === 0 ? 'none' : formatDuration(lagMs),
    rebuilt: switchedAt === null ? null : merchants.time(switchedAt, merchant),
    maxAge: formatDuration(maxAgeMs),
    failure: failure && { ...failure, since: merchants.time(failure.since, merchant) },
    whom: callAboutForecourt(merchants),
    parts,
  }
}

function toPill(isFilled: boolean, isOld: boolean, isStuck: boolean) {
  if (!isFilled) return { tone: 'warning', text: 'Not filled' }
  if (isOld) return { tone: 'failing', text: 'Old' }
  return isStuck ? { tone: 'warning', text: 'Not updated' } : { tone: 'well', text: 'Current' }
}
