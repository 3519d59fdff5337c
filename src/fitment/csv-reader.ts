import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { CsvFieldError } from './csv-fields.ts'

export interface CsvRecord {
  /** Where it begins, counted from 1. */
  line: number
  cells: string[]
}

/** A file that cannot be read any further. */
export class CsvReadError extends CsvFieldError {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

const LONGEST_RECORD = 65_536
const SNIFFED = 65_536

/** The records of a CSV file in UTF-8, whose separator its first line shows: comma, semicolon or tab. Throws Unreadable. */
export async function* readCsvRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const chunks = bytes[Symbol.asyncIterator]()
  const first = await beginning(chunks)
  if (/^(\xff\xfe|\xfe\xff)/.test(first.toString('latin1', 0, 2)))
    throw new CsvReadError(1, 'the file is UTF-16: save it as UTF-8')
  const parser = parse({
    ...{ bom: true, info: true, skip_empty_lines: true, delimiter: detectCsvSeparator(first.toString('utf8')) },
    // How many fields a line has is for its reader to judge; a lone quote, as in 15" wheels, is a character.
    ...{ relax_column_count: true, relax_quotes: true, max_record_size: LONGEST_RECORD },
    record_delimiter: ['\r\n', '\n', '\r'],
  })
  const source = Readable.from(joined(first, chunks))
  source.on('error', (error) => parser.destroy(error))
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<Parsed>)
      yield { line: info.lines - newlinesIn(record), cells: record }
  } catch (error) {
    throw readable(error)
  } finally {
    source.destroy()
  }
}

interface Parsed {
  record: string[]
  info: { lines: number }
}

async function beginning(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const some: Uint8Array[] = []
  let length = 0
  while (length < SNIFFED) {
    const { value, done } = await chunks.next()
    if (done) break
    some.push(value)
    length += value.length
    if (value.includes(0x0a)) break
  }
  return Buffer.concat(some)
}

async function* joined(first: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/** The one of which the head line has most. */
export function detectCsvSeparator(text: string): string {
  const head = /^[^\r\n]*/.exec(text.replace(/^\ufeff?[\r\n]*/, ''))![0].replace(/"[^"]*"/g, '')
  const counted = [',', ';', '\t'].map((separator) => ({ separator, count: head.split(separator).length }))
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).separator
}

const newlinesIn = (cells: readonly string[]) =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0)

function readable(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error
  const line = Number((error as unknown as { lines?: number }).lines ?? 1)
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return new CsvReadError(line, `is longer than ${LONGEST_RECORD / 1_024} KiB: is a quote not closed?`)
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return new CsvReadError(line, 'the file ends inside a quoted field')
  return new CsvReadError(line, 'cannot be read as CSV')
}
