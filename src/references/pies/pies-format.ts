import type { FileFormat } from '../../imports/file-format.ts'
import { ImportFieldError, ImportReadError } from '../../imports/import-errors.ts'
import { requireCount } from '../../imports/require-count.ts'
import { requireFullSubmission } from '../../imports/require-full-submission.ts'
import { parseNameField, parseSkuField } from '../../imports/text-fields.ts'
import { childrenOf, childText } from '../../imports/xml-elements.ts'
import { readXmlElements, type XmlElement } from '../../imports/xml-reader.ts'
import type { ReferenceKind } from '../../ports/reference.ts'
import { toDescriptionLine } from '../description-line.ts'
import type { ReferenceFileRow } from '../reference-file-parser.ts'
import { toReferenceLine } from '../reference-line.ts'
import {
  createDescriptionReader,
  type DescriptionChoice,
  type DescriptionCount,
  defaultDescriptionChoice,
  type ItemDescription,
} from './item-descriptions.ts'

/** The meaning of each interchange type code. The list of codes is licensed: a merchant adds those that its suppliers use. */
export type InterchangeKinds = Readonly<Record<string, Exclude<ReferenceKind, 'CUSTOMER'>>>

export const defaultInterchangeKinds: InterchangeKinds = { O: 'OEM' }

/** The interchanges of one type code, and what they were imported as. */
export interface InterchangeCount {
  /** Empty: they have no type code. */
  code: string
  kind: ReferenceKind
  count: number
  /** Nothing says what the code means. */
  isAssumed: boolean
}

/** The interchanges and descriptions of a PIES file (6 or 7), the XML of the Auto Care Association: https://www.autocare.org */
export interface PiesFormat extends FileFormat<ReferenceFileRow[]> {
  listInterchanges(): InterchangeCount[]
  listDescriptions(): DescriptionCount[]
}

/** The segments of an Item that have neither references nor descriptions. */
const SEGMENTS = ['Prices', 'ExtendedInformation', 'ProductAttributes', 'Packages', 'Kits', 'DigitalAssets']

export function createPiesFormat(
  kinds: InterchangeKinds,
  choice: DescriptionChoice = defaultDescriptionChoice,
): PiesFormat {
  const descriptions = createDescriptionReader(choice)
  const unused = new Set<string>()
  const counts = new Map<string, InterchangeCount>()
  let hasHeader = false

  function toKind(code: string): ReferenceKind {
    const known = Object.hasOwn(kinds, code) ? kinds[code] : undefined
    const entry = counts.get(code) ?? { code, kind: known ?? 'CROSS', count: 0, isAssumed: !known }
    counts.set(code, { ...entry, count: entry.count + 1 })
    return entry.kind
  }

  const shape = {
    root: 'PIES',
    records: ['Header', 'Item', 'Trailer'],
    skipped: SEGMENTS,
    onSkip: (name: string) => void unused.add(name),
  }

  return {
    async *read(bytes) {
      let items = 0
      for await (const element of readXmlElements(bytes, shape)) {
        hasHeader = true
        if (element.name === 'Header') {
          requireFullSubmission(element)
          descriptions.setDefaultLanguage(childText(element, 'LanguageCode'))
        } else if (element.name === 'Trailer') requireCount(element, 'ItemCount', items)
        else {
          items += 1
          const description = descriptions.read(element)
          if (description)
            yield { line: description.parts[0]!.line, parse: () => [parseDescription(element, description)] }
          for (const interchange of listInterchanges(element))
            yield { line: interchange.line, parse: () => parseInterchange(element, interchange, toKind) }
        }
      }
      if (!hasHeader) throw new ImportReadError(1, 'has no items')
    },
    get hasHeader() {
      return hasHeader
    },
    get unused() {
      return [...unused].sort()
    },
    listInterchanges: () => [...counts.values()].sort((a, b) => b.count - a.count),
    listDescriptions: descriptions.listDescriptions,
  }
}

const listInterchanges = (item: XmlElement): XmlElement[] =>
  childrenOf(item, 'PartInterchangeInfo').flatMap((info) => childrenOf(info, 'PartInterchange'))

/** Throws ImportFieldError for a record that is to be deleted. */
function requireKept(...elements: XmlElement[]): void {
  if (elements.some(({ attributes }) => attributes.MaintenanceType === 'D'))
    throw new ImportFieldError('deletes a record, but an import replaces everything: leave it out of the file')
}

/** Throws ImportFieldError. */
function parseDescription(item: XmlElement, { parts, text }: ItemDescription) {
  requireKept(item, ...parts)
  return toDescriptionLine(parseSkuField(childText(item, 'PartNumber')), text)
}

/** Parses an interchange: numbers of another brand for this item, one or several. Throws ImportFieldError. */
function parseInterchange(item: XmlElement, interchange: XmlElement, toKind: (code: string) => ReferenceKind) {
  requireKept(item, interchange)
  const sku = parseSkuField(childText(item, 'PartNumber'))
  const numbers = childrenOf(interchange, 'PartNumber')
  if (numbers.length === 0) throw new ImportFieldError('PartInterchange has no PartNumber')
  const read = (name: string) => childText(interchange, name) || (interchange.attributes[name] ?? '')
  const brand = parseNameField('BrandLabel', read('BrandLabel') || read('BrandAAIAID'))
  const code = parseNameField('TypeCode', read('TypeCode'), 16)
  const references = numbers.map(({ text }) => ({ sku, brand, number: parseNameField('PartNumber', text) }))
  return references.map((reference) => toReferenceLine({ ...reference, kind: toKind(code), customer_id: '' }))
}
