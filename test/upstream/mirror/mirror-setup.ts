import { type CatalogPartName, catalogPartNames } from '../../../src/catalog/mirror/file/catalog-part-names.ts'
import type { MirrorProduct, MirrorRow } from '../../../src/catalog/mirror/file/mirror-row.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { Vehicle } from '../../../src/ports/vehicle.ts'
import type { BackOffice } from '../../../src/upstream/back-office.ts'
import type { CatalogMirror, MirrorPartState } from '../../../src/upstream/mirror/catalog-mirror.ts'
import { withMirror } from '../../../src/upstream/mirror/mirrored-back-office.ts'
import type { LoadResult } from '../../../src/upstream/read-stack/cached-loader.ts'
import { createRequestScope } from '../../../src/upstream/request/request-scope.ts'

export const MAX_AGE_MS = 60_000

export const failed = (failure: UpstreamError['failure']): LoadResult<never> => ({
  value: null,
  error: new UpstreamError(failure, 'the system failed', { system: 'inventory' }),
  asOf: 0,
})

/** A mirror of rows in memory before systems that answer with `live`, or fail. The test owns the clock. */
export function createMirrorSetup({ hasFormerIds = false } = {}) {
  let now = Date.parse('2026-03-02T12:00:00.000Z')
  const rows = new Map<string, MirrorProduct>()
  const states = Object.fromEntries(
    catalogPartNames.map((name): [CatalogPartName, MirrorPartState] => [
      name,
      { isFilled: true, asOf: now, failure: null },
    ]),
  ) as Record<CatalogPartName, MirrorPartState>
  const vehicles = new Map<number, Vehicle>()
  const asked: string[] = []
  const errors: unknown[] = []
  const reads: string[][] = []
  const world = {
    fileError: null as Error | null,
    /** How the systems answer a read of these SKUs. */
    live: (skus: readonly string[]): LoadResult<never>[] =>
      skus.map((sku) => ({ value: `live ${sku}` as never, error: null, asOf: now })),
    readAllCategories: (() => []) as CatalogMirror['readAllCategories'],
    search: ((request) =>
      Promise.resolve({
        ids: [request.q ? 2 : 1],
        total: 1,
        facets: {},
        corrected: null,
        closest: null,
        expiresInMs: Number.POSITIVE_INFINITY,
      })) as CatalogMirror['search'],
  }

  function checkFile() {
    if (world.fileError) throw world.fileError
  }

  const mirror: CatalogMirror = {
    partState: (name) => states[name],
    products(skus) {
      checkFile()
      reads.push([...skus])
      return skus.map((sku) => rows.get(sku) ?? null)
    },
    // Ids are the letters of the alphabet.
    skusOf: (ids) => ids.map((id) => String.fromCharCode(64 + id)),
    text: () => null,
    texts: () => null,
    findSlug(slug) {
      checkFile()
      return [...rows.values()].find(({ product }) => product.slug === slug)?.product.sku ?? null
    },
    changes() {
      checkFile()
      return { products: [], total: 0, has_more: false }
    },
    changeTexts: () => null,
    countChanges: () => ({ count: 0, last: null, sequence: 0 }),
    categories: () => [],
    readAllCategories: () => world.readAllCategories(),
    tags: () => [{ tag: 't', name: 'T', count: 1 }],
    search: (...args) => world.search(...args),
    suggest: async () => ({
      products: [],
      categories: [],
      brands: [],
      vehicles: [],
      expiresInMs: Number.POSITIVE_INFINITY,
    }),
    vehicleFacet: () => [],
    vehicle: (id) => vehicles.get(id) ?? null,
    fitments: () => null,
    fitmentsOn: (_, skus) => skus.map(() => null),
    references: () => ({ references: [], supersedes: [], superseded_by: null, related: [] }),
    productsByNumber: () => [],
  }

  const ask = (name: string) => (skus: readonly string[]) => {
    asked.push(`${name} ${skus}`)
    return Promise.resolve(world.live(skus))
  }
  const askList = (name: string) => () => {
    asked.push(name)
    return Promise.resolve(world.live([name])[0]!)
  }
  const inner = {
    changes: { fitmentSource: 'system' },
    today: () => new Date(now).toISOString().slice(0, 10),
    products: ask('products'),
    availability: ask('availability'),
    prices: (skus: readonly string[], customer: string | null) => ask(`prices of ${customer}`)(skus),
    taxes: (skus: readonly string[], customer: string | null) => ask(`taxes of ${customer}`)(skus),
    categories: askList('categories'),
    tags: askList('tags'),
    search: askList('search'),
    references: askList('references'),
    productsByNumber: askList('productsByNumber'),
    fitments: askList('fitments'),
    vehicleFacet: askList('vehicleFacet'),
  } as unknown as BackOffice

  const options = {
    maxAgeMs: MAX_AGE_MS,
    now: () => now,
    onError: (error: unknown) => void errors.push(error),
    fitment: { source: 'inventory' as const, hasFormerIds },
  }
  return {
    world,
    states,
    asked,
    errors,
    /** The SKUs of each read of the file. */
    reads,
    inner,
    /** The vehicles of the mirror, by id. */
    vehicles,
    backOffice: withMirror(inner, mirror, options),
    put(...changed: readonly MirrorRow[]) {
      for (const row of changed) rows.set(row.sku, row)
    },
    pass(ms: number) {
      now += ms
    },
    now: () => now,
    scope: (faults = {}, totalMs = 60_000) =>
      createRequestScope({ requestId: 'r', startedAt: now, faults }, { totalMs, reserveMs: 0 }, () => now),
  }
}
