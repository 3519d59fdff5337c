import type { FileFormat } from '../imports/file-format.ts'
import { type ImportFile, type ImportParts, importFile } from '../imports/import-file.ts'
import {
  insertDescriptionRows,
  insertReferenceRows,
} from '../storage/references/insert-reference-and-description-rows.ts'
import { type ReferenceImportCounts, referenceImports } from '../storage/references/reference-imports.ts'
import {
  createReferenceFileParser,
  isDescription,
  type ReferenceFileRow,
  type ReferenceImportReport,
} from './reference-file-parser.ts'
import type { ReferenceLine } from './reference-line.ts'

export interface ReferenceFile extends ImportFile {
  format: FileFormat<ReferenceFileRow[]>
}

export type ReferenceImportParts = ImportParts<ReferenceImportCounts>

/** Imports a file of references, completely or not at all. */
export function importReferences(parts: ReferenceImportParts, file: ReferenceFile): Promise<ReferenceImportReport> {
  const { db, onBadLine, limits } = parts
  async function begin() {
    return {
      parser: createReferenceFileParser({ format: file.format, onBadLine, limits }),
      async insertRows(import_id: number, rows: readonly ReferenceFileRow[]) {
        const references = rows.filter((row): row is ReferenceLine => !isDescription(row))
        const descriptions = rows.filter(isDescription)
        await insertReferenceRows(
          db,
          references.map((row) => ({ import_id, ...row })),
        )
        await insertDescriptionRows(
          db,
          descriptions.map((row) => ({ import_id, ...row })),
        )
      },
    }
  }
  return importFile({ store: referenceImports, begin }, parts, file)
}
