import type { CatalogPartName } from '../../catalog/mirror/file/catalog-part-names.ts'
import { type CatalogPartState, listCatalogParts } from '../../storage/catalog/catalog-part-states.ts'
import { readCatalogSequence } from '../../storage/catalog/catalog-sequences.ts'
import type { Database } from '../../storage/database.ts'
import type { Tenant } from '../../tenant.ts'
import type { MirrorPartState } from '../../upstream/mirror/catalog-mirror.ts'

/** How current the store's catalog was. A file that has all changes up to `sequence` is as current. */
export interface StoreCatalogState {
  parts: ReadonlyMap<CatalogPartName, MirrorPartState>
  sequence: number
}

/** Reads the parts before the sequence number, so that all changes that they include have at most that number. */
export async function readStoreCatalogState(db: Database, tenant: Tenant): Promise<StoreCatalogState> {
  const parts = await listCatalogParts(db, tenant)
  return {
    parts: new Map(parts.map((part) => [part.name, toPartState(part)])),
    sequence: await readCatalogSequence(db, tenant),
  }
}

const toPartState = ({ asOf, filledAt, failure }: CatalogPartState): MirrorPartState => ({
  isFilled: filledAt !== null,
  asOf: asOf === null ? 0 : Date.parse(asOf),
  failure,
})

/** The state of each part until it is read. */
export const unreadPart: MirrorPartState = { isFilled: false, asOf: 0, failure: null }
