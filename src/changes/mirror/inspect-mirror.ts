import { existsSync } from 'node:fs'
import { MirrorDamageError } from '../../catalog/mirror/file/mirror-damage.ts'
import { measureMirror, readCurrentMirror, toMirrorFolder } from '../../catalog/mirror/file/mirror-folder.ts'
import { openMirrorFileReader } from '../../catalog/mirror/read/mirror-file-reader.ts'
import { type CatalogPartState, listCatalogParts } from '../../storage/catalog/catalog-part-states.ts'
import { findNextCatalogChange } from '../../storage/catalog/find-next-catalog-change.ts'
import type { Database } from '../../storage/database.ts'
import type { Tenant } from '../../tenant.ts'

/** What another process, such as a command, sees of a mirror of this machine. */
export interface MirrorInspection extends Tenant {
  path: string
  /** `null`: this machine has no file, or it is damaged. */
  file: { bytes: number; rows: number; sequence: number; lagMs: number } | null
  damage: string | null
  parts: CatalogPartState[]
}

export interface InspectionParts {
  db: Database
  tenant: Tenant
  dataDirectory: string
  now: () => number
}

const CACHE_BYTES = 1_048_576

export async function inspectMirror({ db, tenant, dataDirectory, now }: InspectionParts): Promise<MirrorInspection> {
  const path = readCurrentMirror(toMirrorFolder(dataDirectory, tenant))
  const parts = await listCatalogParts(db, tenant)
  const { file, damage } = inspectFile(path)
  const next = file && (await findNextCatalogChange(db, tenant, file.sequence))
  const lagMs = next == null ? 0 : Math.max(0, now() - next / 1_000)
  return { ...tenant, path, file: file && { ...file, lagMs }, damage, parts }
}

function inspectFile(path: string) {
  if (!existsSync(path)) return { file: null, damage: null }
  try {
    using reader = openMirrorFileReader(path, CACHE_BYTES)
    const file = reader && { bytes: measureMirror(path), rows: reader.countRows(), sequence: reader.readSequence() }
    return { file, damage: null }
  } catch (error) {
    if (error instanceof MirrorDamageError) return { file: null, damage: error.message }
    throw error
  }
}
