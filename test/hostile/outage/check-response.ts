import type { CatalogRead, ListedProduct } from './catalog-reads.ts'

export interface CheckedResponse extends CatalogRead {
  /** Milliseconds since the epoch, by the clock of this machine, which the server has too. */
  sentAt: number
  receivedAt: number
  /** 0: there was no response. */
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  body: any
}

/** When inventory and pricing were dead, in milliseconds since the epoch. `null`: not yet. */
export interface OutageTimes {
  /** The merchant's freshness bound. */
  boundMs: number
  diedAt: number | null
  backAt: number | null
}

export interface ResponseChecker {
  /** Returns what is wrong with a response. */
  check(response: CheckedResponse): string[]
}

interface Mark {
  field: string
  code: string
  stale?: boolean
  as_of?: string
}

/** Sections that other systems, or the store, fill. */
const ALIVE = new Set(['tax', 'references'])

/**
 * Creates a check of responses before, during and after an outage. A response must be 200 or 304, and equal to what the catalog said before,
 * apart from its marks. A section is marked if, and only if, it was older than the bound, and with an age that is possible.
 */
export function createResponseChecker(products: readonly ListedProduct[], outage: OutageTimes): ResponseChecker {
  const known = new Map(products.map((product) => [product.sku, toText(product)]))
  /** The first response to each read, without its marks. */
  const firstBodies = new Map<string, string>()
  /** When a section of a kind of read was last seen without a mark. */
  const unmarkedAt = new Map<string, number>()

  const isDead = ({ sentAt, receivedAt }: CheckedResponse) =>
    outage.diedAt !== null && sentAt > outage.diedAt && (outage.backAt === null || receivedAt < outage.backAt)
  const isBeyondBound = (response: CheckedResponse) =>
    isDead(response) && response.sentAt > outage.diedAt! + outage.boundMs

  function checkMark(mark: Mark, response: CheckedResponse): string[] {
    const { field, code, stale, as_of } = mark
    const at = Date.parse(as_of ?? '')
    if (stale !== true || Number.isNaN(at)) return [`${field} failed with ${code}`]
    const mistakes: string[] = []
    if (response.receivedAt - at <= outage.boundMs) mistakes.push(`${field} is marked within the bound`)
    if (ALIVE.has(field)) return mistakes
    if (isDead(response) && at > outage.diedAt!) mistakes.push(`${field} claims to be newer than its system's death`)
    const seenAt = unmarkedAt.get(sourceOf(response, field)) ?? Number.NEGATIVE_INFINITY
    if (field !== 'facets' && seenAt <= response.sentAt && at < seenAt - outage.boundMs)
      mistakes.push(`${field} claims to be older than it was when it was not marked`)
    return mistakes
  }

  function checkMarks(response: CheckedResponse): string[] {
    const marks = (response.body.errors ?? []) as Mark[]
    const marked = new Set(marks.map(({ field }) => field))
    const mistakes = marks.flatMap((mark) => checkMark(mark, response))
    for (const field of listFilledSections(response)) {
      if (marked.has(field)) continue
      if (isBeyondBound(response)) mistakes.push(`${field} is not marked`)
      const key = sourceOf(response, field)
      unmarkedAt.set(key, Math.max(unmarkedAt.get(key) ?? 0, response.sentAt))
    }
    return mistakes
  }

  function checkContent({ kind, path, posted, body }: CheckedResponse): string[] {
    const mistakes: string[] = []
    for (const { fitment: _, match: __, ...row } of Array.isArray(body.data) ? body.data : [])
      if (kind !== 'availability batch' && known.has(row.sku) && toText(row) !== known.get(row.sku))
        mistakes.push(`${row.sku} differs from what the catalog said of it`)
    const { errors: __, ...content } = body
    const key = `${path}${JSON.stringify(posted) ?? ''}`
    const [text, first] = [toText(content), firstBodies.get(key)]
    if (first === undefined) firstBodies.set(key, text)
    else if (first !== text) mistakes.push('the content differs from an earlier response')
    return mistakes
  }

  return {
    check(response) {
      const { status } = response
      if (status === 304) return isBeyondBound(response) ? ['304 for a response without marks'] : []
      if (status !== 200) return [status === 0 ? 'no response' : `status ${status}`]
      return [...checkMarks(response), ...checkContent(response)]
    },
  }
}

/** Responses with the same source have the same parts of the catalog in that section. The facets of a search have the parts that were requested. */
const sourceOf = ({ kind, path }: CheckedResponse, field: string) =>
  `${/^\/v1\/(categories|tags|vehicles\/(?=\d))/.exec(path)?.[0] ?? kind} ${field}`

/** Times of reads differ, and so do the marks. */
const toText = (content: object) => JSON.stringify(content, (name, value) => (name === 'as_of' ? undefined : value))

/** Returns the sections of a response that the mirror filled with values of inventory and pricing. */
function listFilledSections({ kind, path, body }: CheckedResponse): string[] {
  const rows: ListedProduct[] = Array.isArray(body.data) ? body.data : []
  const columns = (['price', 'availability'] as const).filter((column) => rows.some((row) => row[column] != null))
  switch (kind) {
    case 'list':
    case 'search':
      return ['data', ...columns]
    case 'vehicle products':
      return ['data', ...columns, ...(/[?&]vehicle_id=/.test(path) && rows.length > 0 ? ['fitment'] : [])]
    case 'facets':
      return ['data', ...columns, ...(/facets=[a-z,]*(category|tag)/.test(path) ? ['facets'] : [])]
    case 'lookup':
      return rows.length > 0 ? ['data', ...columns] : []
    case 'detail':
      return ['product', ...(['price', 'availability'] as const).filter((name) => body[name] !== null)]
    case 'availability':
      return ['product', ...(body.band === null ? [] : ['band'])]
    case 'availability batch':
      return ['product', ...(body.data.some(({ band }: { band: unknown }) => band) ? ['band'] : [])]
    case 'fitments':
      return ['product', 'data']
    case 'suggest':
      return ['suggestions']
    case 'vehicles':
    case 'taxonomy':
      return ['data']
  }
}
