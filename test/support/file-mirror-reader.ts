import { DatabaseSync } from 'node:sqlite'
import { UpstreamError } from '../../src/errors.ts'
import type { Tenant } from '../../src/tenant.ts'
import type { LoadResult } from '../../src/upstream/cached-loader.ts'
import type { ChangedCatalogPage, MirrorReader } from '../../src/upstream/mirror-reader.ts'
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
  const database = new DatabaseSync(path, { readOnly: true })
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
    async search(request) {
      const { skus, ...found } = find(request)
      const has_more = request.offset + skus.length < found.total
      return toResult({ skus, newest: 0, has_more, ...found } as never)
    },
    async suggest({ text, limit }) {
      const { skus } = find({ q: text, limit })
      const products = skus.map((sku) => ({ sku, name: sku, slug: sku.toLowerCase() }))
      return toResult({ products, categories: [], brands: [{ value: 'Ozaki', count: 2 }], vehicles: [] })
    },
    fitments: () => null,
    changes({ after, limit, offset }) {
      const total = database.prepare('SELECT count(*) AS total FROM products WHERE sequence > ?').get(after)!.total
      const rows = database
        .prepare(
          `SELECT sequence, product, price, tax, availability FROM products WHERE sequence > ?
           ORDER BY sequence LIMIT ? OFFSET ?`,
        )
        .all(after, limit, offset) as Record<string, string>[]
      const products = rows.map(({ sequence, ...parts }) => ({
        ...Object.fromEntries(Object.entries(parts).map(([name, json]) => [name, json && JSON.parse(json)])),
        sequence: Number(sequence),
      }))
      const has_more = offset + rows.length < Number(total)
      const page = { products, total: Number(total), has_more, asOf: reader.asOf }
      return toResult(page as unknown as ChangedCatalogPage)
    },
    findSlug(slug) {
      const row = database.prepare('SELECT sku FROM products WHERE slug = ? AND active = 1').get(slug)
      return toResult((row?.sku as string | undefined) ?? null)
    },
    [Symbol.dispose]: () => database.close(),
  }
  return reader
}

/** Puts a mirror in front of a tenant's back office. */
export function useMirror(api: Api, mirror: MirrorReader, tenant: Tenant = { merchant: 'acme', mode: 'sandbox' }) {
  Object.assign(api.upstreams.forTenant(tenant)!.backOffice, { mirror })
}
