import { openMirrorFileReader } from '../../src/catalog/mirror/read/mirror-file-reader.ts'
import { UpstreamError } from '../../src/errors.ts'
import type { Tenant } from '../../src/tenant.ts'
import type { ChangedCatalogPage, MirrorReader } from '../../src/upstream/mirror/mirror-reader.ts'
import type { LoadResult } from '../../src/upstream/read-stack/cached-loader.ts'
import type { TestMirror } from '../catalog/test-mirror.ts'
import type { Api } from './api.ts'

export interface FileMirrorReader extends MirrorReader, Disposable {
  state: MirrorReader['state']
  /** Milliseconds since the epoch; a failure makes the values stale. */
  asOf: number
  failure: 'unavailable' | null
}

/** The reads of a mirror, straight from a file. */
export function createFileMirrorReader({ path, find }: TestMirror): FileMirrorReader {
  const products = openMirrorFileReader(path, 1_000_000)!
  const toResult = <V>(value: V | null): LoadResult<V> => ({
    value,
    error: reader.failure && new UpstreamError(reader.failure, 'stale', { system: 'inventory' }),
    asOf: reader.asOf,
    system: 'inventory',
  })
  const reader: FileMirrorReader = {
    state: 'ready',
    asOf: Date.now(),
    failure: null,
    hasPartsOf: () => true,
    hasTextParts: () => true,
    async search(request) {
      const { skus, ...found } = find(request)
      const has_more = request.offset + skus.length < found.total
      return toResult({ skus, newest: 0, has_more, ...found } as never)
    },
    searchTexts: async () => null,
    text: () => null,
    async suggest({ text, limit }) {
      const { skus } = find({ q: text, limit })
      const found = skus.map((sku) => ({ sku, name: sku, slug: sku.toLowerCase() }))
      return toResult({ products: found, categories: [], brands: [{ value: 'Ozaki', count: 2 }], vehicles: [] })
    },
    fitments: () => null,
    changes(query) {
      const page = { ...products.changes(query), asOf: reader.asOf }
      return toResult(page as ChangedCatalogPage)
    },
    changeTexts: () => null,
    countChanges: async (after) => products.countChanges(after).count,
    findSlug(slug) {
      return toResult(products.findSlug(slug))
    },
    [Symbol.dispose]: () => products[Symbol.dispose](),
  }
  return reader
}

/** Puts a mirror in front of a tenant's back office. */
export function useMirror(api: Api, mirror: MirrorReader, tenant: Tenant = { merchant: 'acme', mode: 'sandbox' }) {
  Object.assign(api.upstreams.forTenant(tenant)!.backOffice, { mirror })
}
