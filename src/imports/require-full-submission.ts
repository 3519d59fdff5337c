import { ImportReadError } from './import-errors.ts'
import { childText } from './xml-elements.ts'
import type { XmlElement } from './xml-reader.ts'

/** Throws ImportReadError for a file with changes only: an import replaces everything. */
export function requireFullSubmission(header: XmlElement): void {
  const type = childText(header, 'SubmissionType')
  if (!/^(full)?$/i.test(type))
    throw new ImportReadError(
      header.line,
      `is a submission of type ${type.slice(0, 20)}: an import replaces everything, so the file must be a FULL submission`,
    )
}
