import { ImportReadError } from './import-errors.ts'
import { childText } from './xml-elements.ts'
import type { XmlElement } from './xml-reader.ts'

/** Throws ImportReadError when the end of a file counts other records than were read. */
export function requireCount(element: XmlElement, name: string, ...counts: number[]): void {
  const text = childText(element, name)
  if (text !== '' && !counts.includes(Number(text)))
    throw new ImportReadError(element.line, `${name} is ${text.slice(0, 20)}, but the file has ${counts[0]} records`)
}
