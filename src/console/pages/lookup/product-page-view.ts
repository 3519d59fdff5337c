import type { MirrorProduct } from '../../../catalog/mirror/file/mirror-row.ts'
import type { Product } from '../../../ports/inventory.ts'
import type { AbsentParts } from '../../../storage/catalog/absent-product-parts.ts'
import type { CartRecord } from '../../../storage/commerce/carts.ts'
import type { OpenCartsWithProduct } from '../../../storage/commerce/operator-cart-queries.ts'
import type { Tenant } from '../../../tenant.ts'
import type { MirrorPartState } from '../../../upstream/mirror/catalog-mirror.ts'
import type { LoadResult } from '../../../upstream/read-stack/cached-loader.ts'
import type { PeekedValue } from '../../../upstream/readers/cache-peek.ts'
import { failureKind } from '../../../upstream/request/failure-kind.ts'
import { findLastPricedCart } from '../../find-last-priced-cart.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toCartPath, toCustomerPath } from '../../page-paths.ts'
import {
  describeOpenCarts,
  describeProductInCart,
  describeRefusedCheckouts,
  type RefusedCheckoutsOfProduct,
} from '../../text/carts-with-product-text.ts'
import { adviceForFailure } from '../../text/failure-advice-text.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { describeMissingSince } from '../../text/missing-part-time-text.ts'
import { callAboutSystem } from '../../whom-to-call.ts'
import type { StatusPill } from '../status-pill.ts'
import { describeLiveError, type LiveFinding } from './live-finding.ts'
import { type PartText, productParts } from './product-part-texts.ts'

/** What is known of one part of a product: in the cache, in the mirror, to shoppers, and in the system at this moment. */
export interface PartFinding {
  cached: PeekedValue<unknown> | null
  /** `null`: the product is not in a mirror. */
  mirrorState: MirrorPartState | null
  shown: LoadResult<unknown>
  live: LiveFinding<unknown>
}

export interface ProductFindings {
  mirrored: MirrorProduct | null
  /** What the systems did not have when they were read last; `null`: the product was not read into the store. */
  absent: AbsentParts | null
  /** Product, availability, price and tax. */
  parts: readonly PartFinding[]
  /** Those that hold the product; `null`: no system lacks a part of it. */
  openCarts: OpenCartsWithProduct | null
  /** The recorded checkouts that were refused for it. */
  refusedCheckouts: RefusedCheckoutsOfProduct | null
}

export interface ProductPartView {
  name: string
  system: string
  /** `value`: the text without where it comes from. */
  shown: { pill: StatusPill; text: string; value: string }
  live: { pill: StatusPill; text: string; advice: string }
  cached: { at: DisplayTime; text: string } | null
  mirrored: { at: DisplayTime | null; text: string } | null
}

export function toProductPageView(
  { tenant: { merchant, mode }, sku }: { tenant: Tenant; sku: string },
  { mirrored, absent, openCarts, refusedCheckouts, parts: findings }: ProductFindings,
  merchants: MerchantDirectory,
  now: number,
) {
  const toTime = (at: string | number) => merchants.time(at, merchant)
  const toText = (part: PartText, value: unknown) =>
    value === null || value === undefined ? part.absent : part.describe(value as never, merchants.currency(merchant))
  const rows = productParts.map((part, index): ProductPartView => {
    const { cached, mirrorState, shown, live } = findings[index]!
    const mirroredAt = mirrorState && mirrorState.asOf > 0 ? toTime(mirrorState.asOf) : null
    return {
      name: part.name,
      system: part.system,
      shown: { ...toShown(shown, toText(part, shown.value), toTime), value: toText(part, shown.value) },
      live: toLive(live, toText(part, live.value), part.absentAdvice),
      cached: cached && { at: toTime(cached.asOf), text: toText(part, cached.value) },
      mirrored: mirrored && { at: mirroredAt, text: toText(part, part.mirroredValue(mirrored)) },
    }
  })
  const lastSetAt = new Map(
    productParts.map((part, index) => [
      part.name,
      findLastSetAt(findings[index]!, mirrored ? part.mirroredValue(mirrored) : null),
    ]),
  )
  const missing = rows.filter(({ live }) => live.pill.text === NOT_SET).map(({ name: part }) => findPart(part))
  const product = { sku, dependsOnCustomer: missing.every((part) => part === 'price' || part === 'tax') }
  const evidence = openCarts && product.dependsOnCustomer ? findLastPricedCart(openCarts.carts, sku) : null
  const name = findings.map(({ live, shown }) => live.value ?? shown.value)[0] as Product | null
  return {
    sku,
    name: name?.name ?? null,
    merchantName: merchants.name(merchant),
    mode,
    at: toTime(now),
    hasMirror: mirrored !== null,
    differs: rows
      .filter(({ shown, live }) => live.pill.tone === 'well' && shown.value !== live.text)
      .map((row) => row.name),
    problems: rows
      .filter(({ live }) => live.advice !== '')
      .map(({ name: part, system, live }) => ({
        text: `${part}: ${live.text}. ${live.advice}`,
        since:
          live.pill.text === NOT_SET
            ? [
                describeMissingSince(
                  { part: findPart(part), lastSetAt: lastSetAt.get(part) ?? null, absent, refusedCheckouts },
                  toTime,
                ),
                ...describeEvidence(evidence, toTime),
              ].join(' ')
            : '',
        whom: callAboutSystem(merchants, { merchant, mode }, system),
      })),
    carts: openCarts && {
      text: describeOpenCarts(
        openCarts,
        product,
        merchants.currency(merchant),
        describeRefusedCheckouts(refusedCheckouts, toTime),
      ),
      links: toCartLinks(openCarts, (cart) =>
        describeProductInCart(cart, product, merchants.currency(merchant), toTime),
      ),
    },
    parts: rows,
  }
}

const MAX_LINKS = 10

const toCartLinks = ({ carts }: OpenCartsWithProduct, describe: (cart: CartRecord) => string) =>
  carts.slice(0, MAX_LINKS).map((cart) => ({
    id: cart.cart_id,
    href: toCartPath(cart.cart_id),
    customerId: cart.customer_id,
    customerHref: toCustomerPath(cart.tenant_id, cart.mode, cart.customer_id),
    text: describe(cart),
  }))

/** A cart that was priced with the product shows that its customer had a price and a tax then. */
function describeEvidence(
  evidence: ReturnType<typeof findLastPricedCart>,
  toTime: (at: string) => DisplayTime,
): string[] {
  if (evidence === null) return []
  const { cart, at } = evidence
  return [
    `A cart was priced with it at ${toTime(at).text}, that of customer ${cart.customer_id}: this customer had a price and a tax then, of its own or the one of all.`,
  ]
}

const NOT_SET = 'Not set'
const findPart = (name: string) => productParts.find((part) => part.name === name)?.stored

/** Returns when a cache or the mirror had a value that the system no longer has; `null`: none has it. */
function findLastSetAt({ cached, mirrorState, shown }: PartFinding, mirroredValue: unknown): number | null {
  const times = [
    ...(cached && cached.value !== null ? [cached.asOf] : []),
    ...(mirrorState && mirroredValue !== null && mirroredValue !== undefined ? [mirrorState.asOf] : []),
    ...(shown.value === null ? [] : [shown.asOf]),
  ].filter((at) => at > 0)
  return times.length > 0 ? Math.max(...times) : null
}

function toShown(
  { value, error, asOf, mirrored }: LoadResult<unknown>,
  text: string,
  toTime: (at: number) => DisplayTime,
) {
  if (value === null && error)
    return { pill: { tone: 'failing', text: 'Missing' } as const, text: describeLiveError(error) }
  if (value === null) return { pill: { tone: 'warning', text: NOT_SET } as const, text }
  if (error) {
    const pill = { tone: 'warning', text: `Older value, from ${toTime(asOf).text}` } as const
    return { pill, text: `${text} (${describeLiveError(error)})` }
  }
  return { pill: { tone: 'well', text: 'Shown' } as const, text: mirrored ? `${text} (from the mirror)` : text }
}

function toLive({ value, error }: PartFinding['live'], text: string, absentAdvice: string) {
  if (error?.failure === 'not_configured')
    return { pill: { tone: '', text: 'Not offered' } as const, text: 'this merchant has no such system', advice: '' }
  if (error) {
    const kind = failureKind(error)
    return {
      pill: { tone: 'failing', text: 'Failed' } as const,
      text: describeLiveError(error),
      advice: adviceForFailure(kind),
    }
  }
  return value === null
    ? { pill: { tone: 'warning', text: NOT_SET } as const, text, advice: absentAdvice }
    : { pill: { tone: 'well', text: 'Responded' } as const, text, advice: '' }
}
