import { expect } from 'chai'
import fc from 'fast-check'
import type { MirrorRow } from '../../../src/catalog/mirror/file/mirror-row.ts'
import { openMirrorFileReader } from '../../../src/catalog/mirror/read/mirror-file-reader.ts'
import type { SearchRequest } from '../../../src/catalog/search/search-request.ts'
import { toJson } from '../../../src/http/responses/handler-response.ts'
import type { ApiRequest, ApiResponse } from '../../../src/http/route.ts'
import { getProductRoute } from '../../../src/routes/catalog/product.ts'
import { listProductsRoute } from '../../../src/routes/catalog/products.ts'
import type { CatalogMirror } from '../../../src/upstream/mirror/catalog-mirror.ts'
import { withMirror } from '../../../src/upstream/mirror/mirrored-back-office.ts'
import { createRequestScope } from '../../../src/upstream/request/request-scope.ts'
import { toRow } from '../../catalog/mirror-rows.ts'
import { openTestMirror, type TestMirror } from '../../catalog/test-mirror.ts'
import { createMirrorSetup, MAX_AGE_MS } from '../../upstream/mirror/mirror-setup.ts'

const now = Date.parse('2026-03-02T12:00:00.000Z')
const anyText = fc.oneof(fc.string(), fc.constantFrom('Été "1"', 'a\nb', '\u2028', '\\', ''))
const anyTextOrNone = fc.option(anyText)
const anyUrl = fc.oneof(anyText, fc.constantFrom('/media/acme/live/1/thumb.webp', 'https://pictures.example/1.webp'))
const anyPicture = fc.record({
  media_id: anyText,
  position: fc.nat(9),
  alt: fc.oneof(anyText, fc.constant('"thumb_url":"/media')),
  thumb_url: anyUrl,
  large_url: anyUrl,
})
const anyTime = fc.option(fc.constantFrom(0, 1_000, MAX_AGE_MS - 1_000).map((ms) => new Date(now - ms).toISOString()))

/** `other`: what makes the parts of a product unusual, and old. */
const anyRow = fc.record({
  name: anyText,
  description: anyTextOrNone,
  brand: anyTextOrNone,
  mpn: anyTextOrNone,
  barcode: anyTextOrNone,
  media: fc.array(anyPicture, { maxLength: 3 }),
  tags: fc.array(anyText, { maxLength: 2 }),
  variant: fc.option(
    fc.record({
      variant_of: fc.record({ parent_id: anyText, name: anyText }),
      options: fc.array(fc.record({ name: anyText, value: anyText }), { minLength: 1, maxLength: 2 }),
    }),
  ),
  listPrice: fc.option(fc.constantFrom('0.00', '12.50')),
  breaks: fc.array(fc.constant({ min_quantity: '4', amount: '1.00' }), { maxLength: 2 }),
  tax: fc.option(fc.record({ code: anyText, name: anyText, rate: fc.constant('0.15') })),
  availability: fc.option(
    fc.constantFrom(
      { band: 'IN_STOCK', eta: null } as const,
      { band: 'LEAD_TIME', eta: '2026-03-02' } as const,
      { band: 'OUT', eta: null } as const,
      { band: 'OUT', eta: null, orderable: true } as const,
    ),
  ),
  price_as_of: anyTime,
  stock_as_of: anyTime,
  reference: fc.boolean(),
  active: fc.constantFrom(true, true, true, false),
  other: fc.constantFrom(
    ...Array<null>(12).fill(null),
    ...(['media', 'member', 'old', 'eta', 'unread', 'price', 'alternative'] as const),
  ),
})
type AnyRow = typeof anyRow extends fc.Arbitrary<infer Row> ? Row : never

function toMirrorRow(sku: string, { listPrice, breaks, tax, availability, variant, other, ...row }: AnyRow): MirrorRow {
  const { price_as_of, stock_as_of, reference, active, media, ...product } = row
  const made = toRow(sku, {
    product: {
      ...product,
      ...variant,
      media: other === 'media' ? null : media,
      active,
      ...(other === 'member' && { more: 1 }),
    } as never,
    listPrice,
    tax: tax && { sku, ...tax },
    price_as_of: other === 'old' ? new Date(now - MAX_AGE_MS - 1).toISOString() : price_as_of,
    stock_as_of,
    references:
      reference || other === 'alternative'
        ? [{ kind: 'OEM', brand: null, number: other === 'alternative' ? 'OE-1' : `OE-${sku}`, customer_id: null }]
        : [],
  })
  return {
    ...made,
    price: made.price && { ...made.price, breaks, ...(other === 'price' && { more: 1 }) },
    availability: other === 'eta' ? { band: 'LEAD_TIME', eta: '2026-03-01' } : availability,
    ...(other === 'unread' && { tax: undefined }),
  } as MirrorRow
}

/** A back office over a file. `hasTexts: false`: every section is read and serialized. */
function createOffice({ path, find }: TestMirror, hasTexts: boolean) {
  const { inner } = createMirrorSetup()
  const reader = openMirrorFileReader(path, 1_000_000, () => 'https://api.example')!
  const ids = new Map<string, number>()
  const mirror = {
    ...reader,
    partState: () => ({ isFilled: true, asOf: now, failure: null }),
    async search(request: SearchRequest) {
      const { skus, ...found } = find(request)
      for (const sku of skus) ids.set(sku, Number(sku.slice(2)))
      return { ...found, ids: skus.map((sku) => ids.get(sku)!) }
    },
  } as unknown as CatalogMirror
  const backOffice = withMirror(inner, mirror, {
    maxAgeMs: MAX_AGE_MS,
    now: () => now,
    onError: (error) => {
      throw error
    },
    fitment: { source: 'inventory', hasFormerIds: false },
  })
  let texts = 0
  let changes = 0
  const count = <V>(read: V): V => {
    if (read) texts += 1
    return read
  }
  const { searchTexts, text, changeTexts } = backOffice.mirror
  Object.assign(backOffice.mirror, {
    searchTexts: async (...args: Parameters<typeof searchTexts>) =>
      hasTexts ? count(await searchTexts(...args)) : null,
    changeTexts(...args: Parameters<typeof changeTexts>) {
      const found = hasTexts ? changeTexts(...args) : null
      if (found?.products.length) changes += 1
      return found
    },
    text: (...args: Parameters<typeof text>) => (hasTexts ? count(text(...args)) : null),
  })
  return { backOffice, texts: () => texts, changes: () => changes, [Symbol.dispose]: () => reader[Symbol.dispose]() }
}

/** Returns all that a response consists of, and all that its caching depends on. */
async function respond(office: ReturnType<typeof createOffice>, handle: (request: ApiRequest) => Promise<ApiResponse>) {
  const requestScope = createRequestScope(
    { requestId: 'r', startedAt: now },
    { totalMs: 60_000, reserveMs: 0 },
    () => now,
  )
  const { backOffice } = office
  const request = {
    backOffice,
    customerId: null,
    merchant: { currency: 'JMD' },
    commerce: { now: () => now },
    requestScope,
  } as unknown as ApiRequest
  const response: ApiResponse = await handle(request).catch((error: Error) => ({
    body: error.message,
    errors: [],
    traces: [],
  }))
  const body = toJson(response)
  return {
    body,
    errors: response.errors,
    // The sections of a page without active products say nothing about the mirror.
    sections: response.traces
      .map(({ name, outcome, system, mirrored }) =>
        !body.includes('"active":true') ? name : [name, outcome, system, mirrored].join(),
      )
      .sort(),
    tags: [...requestScope.tags].sort(),
    cacheableUntil: requestScope.cacheableUntil,
  }
}

describe('responses joined of texts of the mirror', () => {
  it('are the same bytes as of sections, expire at the same time, and are reported the same', async () => {
    let joined = 0
    let changes = 0
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 12 }), fc.nat(3), async (made, offset) => {
        using file = openTestMirror()
        const rows = made.map((row, at) => toMirrorRow(`S-${at + 1}`, row))
        file.write(rows)
        using fast = createOffice(file, true)
        using slow = createOffice(file, false)
        const query = { limit: 8, offset, facets: ['brand', 'tag'] as ('brand' | 'tag')[] }
        const list = (request: ApiRequest) => listProductsRoute.handle({ ...request, query } as never)
        expect(await respond(fast, list)).to.deep.equal(await respond(slow, list))
        for (const { sku } of rows) {
          const page = (request: ApiRequest) => getProductRoute.handle({ ...request, params: { sku } } as never)
          expect(await respond(fast, page)).to.deep.equal(await respond(slow, page))
        }
        for (const since of ['1970-01-01T00:00:00Z', '2026-03-02T11:59:59Z', '2026-03-03T00:00:00Z'])
          for (const from of [0, 3, offset]) {
            const page = { limit: 3, offset: from, updated_since: since }
            const sync = (request: ApiRequest) => listProductsRoute.handle({ ...request, query: page } as never)
            expect(await respond(fast, sync)).to.deep.equal(await respond(slow, sync))
          }
        joined += fast.texts()
        changes += fast.changes()
      }),
      { numRuns: 60 },
    )
    expect(joined, 'most were joined').to.be.greaterThan(100)
    expect(changes, 'pages of changes').to.be.greaterThan(60)
  })
})
