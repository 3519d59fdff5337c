import type { CatalogPartName } from '../../catalog/mirror/file/catalog-part-names.ts'
import type { UpstreamFailure } from '../../errors.ts'
import { type CatalogPartState, listCatalogParts } from '../../storage/catalog/catalog-part-states.ts'
import { readCatalogSequence } from '../../storage/catalog/catalog-sequences.ts'
import type { Database } from '../../storage/database.ts'
import type { Tenant } from '../../tenant.ts'
import type { MirrorPartState } from '../../upstream/mirror/catalog-mirror.ts'

/** The latest period in which reads of a part failed. Times are in milliseconds since the epoch. */
export interface PartFailure {
  failure: UpstreamFailure
  fromMs: number
  /** When a read succeeded again; `null`: none has yet. */
  untilMs: number | null
}

/** How current the store's catalog was. A file that has all changes up to `sequence` is as current. */
export interface StoreCatalogState {
  parts: ReadonlyMap<CatalogPartName, MirrorPartState>
  /** The latest failure of each part, as far as one is known. */
  failures: ReadonlyMap<CatalogPartName, PartFailure>
  sequence: number
}

/** Reads the parts before the sequence number, so that all changes that they include have at most that number. */
export async function readStoreCatalogState(db: Database, tenant: Tenant): Promise<StoreCatalogState> {
  const parts = await listCatalogParts(db, tenant)
  return {
    parts: new Map(parts.map((part) => [part.name, toPartState(part)])),
    failures: new Map(parts.flatMap((part) => toLatestFailure(part).map((failure) => [part.name, failure] as const))),
    sequence: await readCatalogSequence(db, tenant),
  }
}

const toPartState = ({ asOf, filledAt, failure }: CatalogPartState): MirrorPartState => ({
  isFilled: filledAt !== null,
  asOf: asOf === null ? 0 : Date.parse(asOf),
  failure,
})

/** Returns the latest failure of a part's reads, or an empty list. A system that the merchant does not have is not a failure. */
export function toLatestFailure({ failure, failingSince, endedFailure }: CatalogPartState): PartFailure[] {
  if (failure !== null && failure !== 'not_configured' && failingSince !== null)
    return [{ failure, fromMs: Date.parse(failingSince), untilMs: null }]
  if (endedFailure === null) return []
  const { from, until } = endedFailure
  return [{ failure: endedFailure.failure, fromMs: Date.parse(from), untilMs: Date.parse(until) }]
}

/** The state of each part until it is read. */
export const unreadPart: MirrorPartState = { isFilled: false, asOf: 0, failure: null }
