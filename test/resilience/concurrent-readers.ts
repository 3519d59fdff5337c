import type { ProgramUnderTest } from './program-under-test.ts'

/** An answer that lacked something, as its reader saw it. */
interface Lack {
  section: string
  code: string
  requestId: string
  /** Milliseconds since the epoch: when it was asked for, and when it had come. */
  askedAt: number
  cameAt: number
}

/** Readers of one merchant's shop, at one server: they count what they did not get. */
export interface ConcurrentReaders {
  asked: number
  /** Answers that lacked something. */
  degraded: number
  lacks: Lack[]
  /** Asks for so many pages at once, none of which anybody asked for before. */
  visit(pages: number): Promise<void>
  /** Asks for one page; whether it was whole. */
  look(): Promise<boolean>
}

let pages = 0

export function createConcurrentReaders(
  world: ProgramUnderTest,
  merchant: string,
  key: string,
  now: () => number,
): ConcurrentReaders {
  const crowd: ConcurrentReaders = {
    asked: 0,
    degraded: 0,
    lacks: [],
    async visit(count) {
      await Promise.all(Array.from({ length: count }, look))
    },
    look,
  }

  async function look(): Promise<boolean> {
    pages += 1
    const requestId = `${merchant}-${pages}`
    const askedAt = now()
    const { status, body } = await world.ask(`/v1/products/S-${pages}`, key, { headers: { 'x-request-id': requestId } })
    const of = { requestId, askedAt, cameAt: now() }
    crowd.asked += 1
    const errors: { field: string; code: string }[] =
      status >= 500 ? [{ field: 'product', code: body.code }] : (body.errors ?? [])
    for (const { field, code } of errors) crowd.lacks.push({ section: field, code, ...of })
    if (errors.length > 0) crowd.degraded += 1
    return errors.length === 0
  }

  return crowd
}

/** How many of each section and code. */
export function countBySectionAndCode(lacks: readonly Pick<Lack, 'section' | 'code'>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { section, code } of lacks) counts[`${section} ${code}`] = (counts[`${section} ${code}`] ?? 0) + 1
  return counts
}
