import type { CatalogPartName } from '../../catalog/mirror/file/catalog-part-names.ts'
import type { MirrorProduct } from '../../catalog/mirror/file/mirror-row.ts'
import { UpstreamError } from '../../errors.ts'
import type { System } from '../../ports/system.ts'
import type { RequestScope } from '../request/request-scope.ts'
import type { CatalogMirror, MirrorPartState } from './catalog-mirror.ts'

export interface MirrorAccessParts {
  mirror: CatalogMirror
  /** A part that was not confirmed for longer than this is stale. */
  maxAgeMs: number
  now(): number
  /** Called when the file cannot be read. */
  onError(error: unknown): void
}

/** A filled part of the mirror. */
export interface FilledPart {
  /** Milliseconds since the epoch: the part was equal to the system's then. */
  asOf: number
  /** Set when the part is stale. */
  error: UpstreamError | null
}

/** Reads a mirror, as long as its file can be read. Where it returns `null`, the systems must be asked. */
export interface MirrorAccess {
  /** Returns whether the part, and the products that all parts are about, have been read for the first time. */
  isFilled(name: CatalogPartName): boolean
  /** A response of `scope` is cached no longer than the part is current. `null`: the part is not filled. */
  part(name: CatalogPartName, system: System, scope: RequestScope): FilledPart | null
  /** Returns the rows of these SKUs in order; a row is `null` where the catalog has no such product. A request sees each row in one state. */
  rows(skus: readonly string[], scope: RequestScope): (MirrorProduct | null)[] | null
  read<T>(read: (mirror: CatalogMirror) => T): T | null
  /** Returns whether a row that was current at `asOf` is too old. If it is not, a response of `scope` is cached no longer than that. */
  isOld(asOf: number, scope: RequestScope): boolean
  /** Reports that the file could not be read in a thread. */
  recordFailure(error: unknown): void
}

/** A file that could not be read is left alone for this time. */
const RETRY_MS = 5_000

export function createMirrorAccess({ mirror, maxAgeMs, now, onError }: MirrorAccessParts): MirrorAccess {
  let failedAt: number | null = null

  function isOld(asOf: number, scope: RequestScope): boolean {
    if (now() - asOf > maxAgeMs) return true
    scope.limitCaching(asOf + maxAgeMs)
    return false
  }

  function recordFailure(error: unknown): void {
    failedAt = now()
    onError(error)
  }

  const isLeftAlone = () => failedAt !== null && Math.abs(now() - failedAt) < RETRY_MS

  function read<T>(read: (mirror: CatalogMirror) => T): T | null {
    if (isLeftAlone()) return null
    try {
      return read(mirror)
    } catch (error) {
      recordFailure(error)
      return null
    }
  }

  /** What is not in the file is absent only if all products are in the file. */
  function filledState(name: CatalogPartName): MirrorPartState | null {
    if (isLeftAlone() || !mirror.partState('products').isFilled) return null
    const state = mirror.partState(name)
    return state.isFilled ? state : null
  }

  function readMissing(skus: readonly string[], known: Map<string, MirrorProduct | null>): boolean {
    const missing = skus.filter((sku) => !known.has(sku))
    if (missing.length === 0) return true
    const found = read(() => mirror.products(missing))
    for (const [at, sku] of missing.entries()) if (found) known.set(sku, found[at] ?? null)
    return found !== null
  }

  return {
    isFilled: (name) => filledState(name) !== null,
    part(name, system, scope) {
      const state = filledState(name)
      if (!state) return null
      return { asOf: state.asOf, error: isOld(state.asOf, scope) ? stalenessError(state, system) : null }
    },
    rows(skus, { mirrorRows: known }) {
      return readMissing(skus, known) ? skus.map((sku) => known.get(sku)!) : null
    },
    read,
    isOld,
    recordFailure,
  }
}

function stalenessError({ failure }: MirrorPartState, system: System): UpstreamError {
  const summary = 'the catalog mirror has not been confirmed lately'
  return new UpstreamError(failure ?? 'unavailable', `${system}: ${summary}`, { summary, system })
}
