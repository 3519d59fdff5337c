import { type CatalogPartName, catalogPartNames } from '../../../catalog/mirror/file/catalog-part-names.ts'
import type { TenantMirror } from '../../../changes/mirror/tenant-mirror.ts'
import { UpstreamError } from '../../../errors.ts'
import { EVERY_MERCHANT } from '../../../storage/diagnostics/open-incidents.ts'
import type { StoreOutage } from '../../../storage/store-monitor.ts'
import type { Tenant } from '../../../tenant.ts'
import { failureKind } from '../../../upstream/request/failure-kind.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { capitalize } from '../../text/capitalize.ts'
import { adviceForFailure } from '../../text/failure-advice-text.ts'
import { formatCount } from '../../text/format-numbers.ts'
import { describeFollowing, describePartsOf, describeStoreOfMirror } from '../../text/late-mirror-text.ts'
import { callAboutForecourt, type WhomToCall } from '../../whom-to-call.ts'
import type { CountedIncidents, CountsSince, IncidentCounts } from './incidents-and-requests-since.ts'
import { callAboutParts } from './mirror-warning-views.ts'
import { isPartOld, partSystems } from './mirror-warnings.ts'

/** One failure of a mirror: what failed, what shoppers see, and what to do. */
export interface MirrorAdvice {
  text: string
  /** Whether carts and checkouts failed as well, which read the system itself; `null`: they do not read it, the part was never read, or it is not known. */
  incidents: { text: string; href: string } | null
  whom: WhomToCall
}

/** A system, or an imported part, of which old parts or parts that are not filled could not be read. */
export interface FailingSystem {
  /** A part that belongs to no system stands for itself. */
  system: string
  parts: CatalogPartName[]
  /** When it was read last; `null`: never. */
  asOf: number | null
  kind: string
}

export interface MirrorAdviceFacts {
  maxAgeMs: number
  machine: string
  now: number
  /** What is known of carts and checkouts at each system since it was read last, and of the store since the mirror is not updated. */
  countIncidents: IncidentCounts
  /** The outage of the store; `null`: it works. */
  storeOutage: StoreOutage | null
}

/** Says what to do about a mirror, in order. Until it follows the store, nothing that the systems say reaches it. */
export function adviseOnMirror(
  mirror: TenantMirror,
  failing: readonly FailingSystem[],
  { maxAgeMs, machine, countIncidents, storeOutage }: MirrorAdviceFacts,
  merchants: MerchantDirectory,
): MirrorAdvice[] {
  const { merchant, mode } = mirror.tenant
  const { failure } = mirror.status()
  const toTime = (at: number) => merchants.time(at, merchant)
  const shop = `${merchants.name(merchant)} (${mode})`
  const store = toCountedStore(mirror)
  const storeIncidents = store && countIncidents(store)
  const following = failure && {
    text: `${describeFollowing(failure, toTime)} on the machine ${machine}. Shoppers see the catalog of that time, except parts below that are older; how many saw it is not counted. ${describeStoreOfMirror(storeOutage, toTime)} Tell whoever runs Forecourt to check the disk of ${machine}, where the file is, and Forecourt’s database. The mirror tries again by itself.`,
    incidents:
      storeIncidents === null
        ? null
        : {
            text: describeStoreIncidents(storeIncidents, toTime(failure.since).text, shop),
            href: `/incidents?${new URLSearchParams({ merchant, mode })}`,
          },
    whom: callAboutForecourt(merchants),
  }
  const reading = failing.map((one): MirrorAdvice => {
    const { system, parts, asOf, kind } = one
    const counted = toCountedSystem(mirror.tenant, one)
    const count = counted && countIncidents(counted)
    const age =
      asOf === null
        ? `The mirror has no ${parts.join(', ')} yet: each request reads them from the merchant’s systems.`
        : `${describePartsOf(parts, toTime(asOf).text)}, and out of date since ${toTime(asOf + maxAgeMs).text}; how many shoppers saw them is not counted.`
    const until = failure && toTime(failure.since).text
    const known = until
      ? ` This is what the mirror knew at ${until}, when it was updated last. Whether ${system} can be read now is not known here: new values are seen only after the mirror is updated again.`
      : ''
    const read = until ? `At the last that is known, at ${until}, ${system}` : capitalize(system)
    return {
      text: `${read} could not be read: ${kind}. ${age} ${adviceForFailure(kind)}${known}`,
      incidents:
        asOf === null || count === null
          ? null
          : {
              text: describeIncidents(system, count, toTime(asOf).text, shop),
              href: `/incidents?${new URLSearchParams({ merchant, mode })}`,
            },
      whom: callAboutParts(parts, mirror.tenant, merchants)[0]!,
    }
  })
  return [...(following ? [following] : []), ...reading]
}

/** A cart total or checkout that fails is an incident. */
function describeIncidents(
  system: string,
  { incidents: count, hasRequests }: CountsSince,
  since: string,
  shop: string,
): string {
  const direct = `Cart totals and checkout read ${system} itself, not the mirror`
  if (count === 0) return `${direct}: none is known to have failed since ${since}. ${describeTries(hasRequests, shop)}`
  return `${direct}: ${formatCount(count, 'incident')} of ${system} since ${since} ${count === 1 ? 'says' : 'say'} whom it hit.`
}

/** A request that the store refuses is an incident. */
function describeStoreIncidents({ incidents: count, hasRequests }: CountsSince, since: string, shop: string): string {
  const refused = 'sign-in, cart, checkout or order request'
  if (count === 0)
    return `No ${refused} is known to have been refused by the database since ${since}. ${describeTries(hasRequests, shop)}`
  return `${formatCount(count, 'incident')} of the database since ${since} ${count === 1 ? 'says' : 'say'} what was refused.`
}

/** Without failures it matters whether anybody tried: nothing that nobody uses is refused. */
const describeTries = (hasRequests: boolean, shop: string): string =>
  hasRequests
    ? 'How many were tried is not counted here.'
    : `But no request of ${shop} has been counted since then, so whether these work is not known.`

/** The sections that fail when a cart has no total, or a checkout is refused or not confirmed. */
const CART_SECTIONS = ['pricing', 'checkout']

/** Returns what to count of a system: its incidents since it was read last. Imported parts are not read for carts. */
const toCountedSystem = (tenant: Tenant, { system, parts, asOf }: FailingSystem): CountedIncidents | null =>
  asOf === null || partSystems[parts[0]!] === undefined
    ? null
    : { ...tenant, shop: tenant, system, sections: CART_SECTIONS, since: asOf }

/** Returns what to count of the store: its incidents since the mirror stopped following it. */
function toCountedStore({ tenant, status }: TenantMirror): CountedIncidents | null {
  const { failure } = status()
  const store = { merchant: EVERY_MERCHANT, mode: 'live', system: '', sections: ['store'] } as const
  return failure && { ...store, shop: tenant, since: failure.since }
}

/** Lists which incidents the advice on a mirror counts. */
export const listCountedIncidents = (mirror: TenantMirror, failing: readonly FailingSystem[]): CountedIncidents[] =>
  [toCountedStore(mirror), ...failing.map((one) => toCountedSystem(mirror.tenant, one))].filter((one) => one !== null)

/** Groups the parts that are old or not filled, and could not be read, by their system. */
export function listFailingSystems(mirror: TenantMirror, maxAgeMs: number, now: number): FailingSystem[] {
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
