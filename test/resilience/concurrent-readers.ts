import type { ProgramUnderTest } from './program-under-test.ts'

/** A section that was missing in a response. */
interface MissingSection {
  section: string
  code: string
  requestId: string
  /** Milliseconds since the epoch. */
  requestedAt: number
  respondedAt: number
}

/** Readers of one merchant at one server. They count missing sections. */
export interface ConcurrentReaders {
  responses: number
  /** Responses with a missing section. */
  degradedResponses: number
  missingSections: MissingSection[]
  /** Reads this many new pages at once. */
  readNewPages(pages: number): Promise<void>
  /** Reads one page; resolves to true when it was complete. */
  readPage(): Promise<boolean>
}

let pages = 0

export function createConcurrentReaders(
  program: ProgramUnderTest,
  merchant: string,
  key: string,
  now: () => number,
): ConcurrentReaders {
  const readers: ConcurrentReaders = {
    responses: 0,
    degradedResponses: 0,
    missingSections: [],
    async readNewPages(count) {
      await Promise.all(Array.from({ length: count }, readPage))
    },
    readPage: readPage,
  }

  async function readPage(): Promise<boolean> {
    pages += 1
    const requestId = `${merchant}-${pages}`
    const requestedAt = now()
    const { status, body } = await program.request(`/v1/products/S-${pages}`, key, {
      headers: { 'x-request-id': requestId },
    })
    const of = { requestId, requestedAt, respondedAt: now() }
    readers.responses += 1
    const errors: { field: string; code: string }[] =
      status >= 500 ? [{ field: 'product', code: body.code }] : (body.errors ?? [])
    for (const { field, code } of errors) readers.missingSections.push({ section: field, code, ...of })
    if (errors.length > 0) readers.degradedResponses += 1
    return errors.length === 0
  }

  return readers
}

/** Counts missing sections by section and code. */
export function countBySectionAndCode(
  missing: readonly Pick<MissingSection, 'section' | 'code'>[],
): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { section, code } of missing) counts[`${section} ${code}`] = (counts[`${section} ${code}`] ?? 0) + 1
  return counts
}
