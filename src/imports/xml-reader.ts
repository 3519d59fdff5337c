import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { ImportReadError } from './import-errors.ts'

export interface XmlElement {
  /** Without a namespace prefix. */
  name: string
  attributes: Readonly<Record<string, string>>
  text: string
  children: XmlElement[]
  /** The line where the element starts, from 1. */
  line: number
}

export interface XmlShape {
  /** The name of the root element. */
  root: string
  /** The elements to read, wherever they are below the root. */
  records: readonly string[]
  /** Children of a record to leave out, with everything in them. */
  skipped?: readonly string[]
  onSkip?(name: string): void
}

const MAX_DEPTH = 32
/** The memory that a single record, tag, text or comment may take. */
const MAX_LENGTH = 1_048_576
/** The memory that an element takes besides its name and its text. */
const ELEMENT_COST = 32

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Reads the records of an XML file one by one. It accepts XML's five predefined entities only, and no document type, and it limits
 * depth and length, so that a file cannot use up the memory or read other files. Throws ImportReadError.
 */
export async function* readXmlElements(bytes: AsyncIterable<Uint8Array>, shape: XmlShape): AsyncGenerator<XmlElement> {
  const { parser, records, countUnparsed } = createRecordParser(shape)
  let decoder: TextDecoder | undefined
  try {
    for await (const chunk of bytes) {
      decoder ??= createDecoder(chunk)
      countUnparsed(chunk.length)
      parser.write(decoder.decode(chunk, { stream: true }))
      yield* records.splice(0)
    }
    if (!decoder) throw new ImportReadError(1, 'the file is empty')
    parser.write(decoder.decode()).close()
  } catch (error) {
    throw error instanceof XmlSyntaxError
      ? new ImportReadError(parser.line, `is not valid XML: ${error.message}`)
      : error
  }
  yield* records.splice(0)
}

class XmlSyntaxError extends Error {}

/** Detects the encoding that the XML declaration names. */
function createDecoder(first: Uint8Array): TextDecoder {
  const start = Buffer.from(first.subarray(0, 200)).toString('latin1')
  if (/^(\xff\xfe|\xfe\xff|<\0|\0<)/.test(start)) throw new ImportReadError(1, 'the file is UTF-16: save it as UTF-8')
  const name = /^(?:\xef\xbb\xbf)?<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1] ?? 'utf-8'
  if (/^(utf-?8|us-ascii)$/i.test(name)) return new TextDecoder('utf-8')
  if (/^(iso-8859-1|windows-1252|latin1)$/i.test(name)) return new TextDecoder('windows-1252')
  throw new ImportReadError(1, `the encoding ${name} is not supported: save the file as UTF-8`)
}

function createRecordParser({ root, records: recordNames, skipped = [], onSkip }: XmlShape) {
  const parser = new SaxesParser({ position: true, xmlns: false })
  const records: XmlElement[] = []
  /** The elements that are open, from the record on. */
  const open: XmlElement[] = []
  let depth = 0
  /** The depth of the element that is left out; 0: none. */
  let skippedAt = 0
  let recordLength = 0
  let unparsed = 0

  const fail = (mistake: string): never => {
    throw new ImportReadError(parser.line, mistake)
  }

  function countLength(length: number): void {
    recordLength += length
    if (recordLength > MAX_LENGTH)
      fail('has an element that is too large: more than a MiB, or tens of thousands of elements in it')
  }

  function startElement({ name: qualified, attributes }: SaxesTagPlain): void {
    const name = localName(qualified)
    unparsed = 0
    depth += 1
    if (depth > MAX_DEPTH) fail(`has elements more than ${MAX_DEPTH} deep`)
    if (depth === 1 && name !== root) fail(`is not ${root}: the root element is ${name.slice(0, 40)}`)
    if (skippedAt > 0) return
    if (open.length > 0 && skipped.includes(name)) {
      skippedAt = depth
      onSkip?.(name)
      return
    }
    if (open.length === 0 && !recordNames.includes(name)) return
    if (open.length === 0) recordLength = 0
    countLength(ELEMENT_COST + name.length + JSON.stringify(attributes).length)
    const element = { name, attributes, text: '', children: [], line: parser.line }
    open.at(-1)?.children.push(element)
    open.push(element)
  }

  function endElement(): void {
    unparsed = 0
    depth -= 1
    if (skippedAt > depth) skippedAt = 0
    else if (skippedAt === 0 && open.length > 0) {
      const element = open.pop()!
      element.text = element.text.trim()
      if (open.length === 0) records.push(element)
    }
  }

  function addText(text: string): void {
    unparsed = 0
    const element = skippedAt > 0 ? undefined : open.at(-1)
    if (!element) return
    countLength(text.length)
    element.text += text
  }

  parser.on('error', ({ message }) => {
    throw new XmlSyntaxError(message.replace(/^[^ ]*\d+:\d+: /, ''))
  })
  parser.on('doctype', () => fail('has a document type declaration, which is not accepted'))
  parser.on('opentag', startElement)
  parser.on('closetag', endElement)
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('comment', () => {
    unparsed = 0
  })
  return {
    parser,
    records,
    /** Fails when a single tag, text or comment is too long. */
    countUnparsed(length: number) {
      unparsed += length
      if (unparsed > MAX_LENGTH + 65_536) fail(`has a tag, text or comment of more than ${MAX_LENGTH} bytes`)
    },
  }
}
