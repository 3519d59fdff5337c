import type { FairCache } from '../cache/fair-cache.ts'
import { createInvalidations } from '../cache/invalidations.ts'
import { createLocalDay } from '../calendar/local-day.ts'
import type { BandLimits } from '../catalog/availability-bands.ts'
import type { AccountingPort } from '../ports/accounting.ts'
import type { FitmentPort } from '../ports/fitment.ts'
import type { InventoryPort } from '../ports/inventory.ts'
import type { PricingPort } from '../ports/pricing.ts'
import type { ReferencePort } from '../ports/reference.ts'
import type { Guard } from './guard/guard.ts'
import type { GuardedPort } from './guard/guarded-port.ts'
import type { CallRunner } from './guard/store-read-runner.ts'
import { type MirrorReader, noMirror } from './mirror/mirror-reader.ts'
import type { CachedValue } from './read-stack/value-cache.ts'
import { type AccountingClient, createAccountingClient } from './readers/accounting-client.ts'
import { type CachePeek, createItemCachePeek } from './readers/cache-peek.ts'
import { type CatalogReader, createCatalogReader } from './readers/catalog-reader.ts'
import { type ChangeReader, createChangeReader } from './readers/change-reader.ts'
import { createItemCache } from './readers/item-cache.ts'
import { createItemReader, type ItemReader } from './readers/item-reader.ts'
import { createLiveReader, type LiveReader } from './readers/live-reader.ts'
import { createPriceReader, type PriceReader } from './readers/price-reader.ts'
import { createReferenceReader, type ReferenceReader } from './readers/reference-reader.ts'
import { createSeparateFitmentReader } from './readers/separate-fitment-reader.ts'
import { createTaxReader, type TaxReader } from './readers/tax-reader.ts'
import { withFitmentSource } from './readers/with-fitment-source.ts'
import { createUpstreamControls, type UpstreamControls } from './upstream-controls.ts'

export interface BackOfficeParts {
  /** Separates the values of one tenant from those of all others: "acme/live". */
  tenantKey: string
  timeZone: string
  bandLimits: BandLimits
  cache: FairCache<CachedValue>
  /** A port is absent where the merchant's back office has no such system. */
  inventory?: GuardedPort<InventoryPort>
  pricing?: GuardedPort<PricingPort>
  accounting?: GuardedPort<AccountingPort>
  /** The source of vehicle fitment; the inventory if absent. `guard`: for a source that has a circuit. */
  fitment?: { port: FitmentPort; runner: CallRunner; guard?: Guard }
  /** The numbers of products; none, if left out. */
  references?: { port: ReferencePort; runner: CallRunner }
  now?: () => number
}

/** The upstream systems of one tenant, as routes and commands read them. */
export interface BackOffice
  extends ItemReader,
    PriceReader,
    TaxReader,
    CatalogReader,
    ReferenceReader,
    LiveReader,
    UpstreamControls {
  readonly tenantKey: string
  readonly watermarkOverlapSeconds: number
  /** The date (YYYY-MM-DD) in the merchant's time zone. */
  today(): string
  readonly accounting: AccountingClient
  /** For the change feed. */
  readonly changes: ChangeReader
  readonly mirror: MirrorReader
  /** What this process has cached of a product. */
  readonly cached: CachePeek
}

export function createBackOffice(parts: BackOfficeParts): BackOffice {
  const { tenantKey, cache, bandLimits, inventory, pricing, accounting, fitment, references } = parts
  const now = parts.now ?? Date.now
  const localDay = createLocalDay(parts.timeZone)
  const today = () => localDay(new Date(now()))
  const invalidations = createInvalidations()
  const shared = { tenantKey, cache, invalidations, now }
  const items = createItemCache({ ...shared, inventory, bandLimits, today })
  const { products, availability } = createItemReader(items, today)
  const prices = createPriceReader({ ...shared, pricing })
  const taxes = createTaxReader({ ...shared, accounting })
  const catalog = createCatalogReader({ ...shared, inventory, items })
  const { searchInventory } = catalog
  const fitments = fitment && createSeparateFitmentReader({ ...shared, fitment, searchInventory })
  const numbers = createReferenceReader({ ...shared, references })
  return {
    tenantKey,
    watermarkOverlapSeconds: inventory?.port.watermarkOverlapSeconds ?? 0,
    today,
    products,
    availability,
    prices: prices.prices,
    taxes: taxes.taxes,
    ...(fitments ? withFitmentSource(catalog, fitments) : catalog),
    references: numbers.references,
    productsByNumber: numbers.productsByNumber,
    ...createLiveReader({ inventory, pricing, accounting, invalidations, items }),
    ...createUpstreamControls({
      tenantKey,
      cache,
      invalidations,
      guards: {
        inventory: inventory?.guard,
        'inventory-search': inventory?.searchGuard,
        pricing: pricing?.guard,
        accounting: accounting?.guard,
        fitment: fitment?.guard,
      },
      readers: [items, prices, taxes, catalog, numbers, ...(fitments ? [fitments] : [])],
    }),
    accounting: createAccountingClient({ tenantKey, cache, accounting, now }),
    changes: createChangeReader({ bandLimits, today, inventory, pricing, accounting, fitment }),
    mirror: noMirror,
    cached: { ...createItemCachePeek(items), price: prices.price, tax: taxes.tax },
  }
}
