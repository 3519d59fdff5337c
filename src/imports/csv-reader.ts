import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { ImportReadError } from './import-errors.ts'

export interface CsvRecord {
  /** The line where the record starts, from 1. */
  line: number
  cells: string[]
}

const MAX_RECORD_BYTES = 65_536
const MAX_SNIFFED_BYTES = 65_536

/** Reads the records of a CSV file in UTF-8. Detects the separator (comma, semicolon or tab) in the first line. Throws ImportReadError. */
export async function* readCsvRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const chunks = bytes[Symbol.asyncIterator]()
  const first = await readFirstLine(chunks)
  if (/^(\xff\xfe|\xfe\xff)/.test(first.toString('latin1', 0, 2)))
    throw new ImportReadError(1, 'the file is UTF-16: save it as UTF-8')
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    delimiter: detectCsvSeparator(first.toString('utf8')),
    // The line parser checks the number of fields. A single quote, as in 15" wheels, is an ordinary character.
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_RECORD_BYTES,
    record_delimiter: ['\r\n', '\n', '\r'],
  })
  const source = Readable.from(prepend(first, chunks))
  source.on('error', (error) => parser.destroy(error))
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<ParsedRecord>)
      yield { line: info.lines - newlinesIn(record), cells: record }
  } catch (error) {
    throw toReadError(error)
  } finally {
    source.destroy()
  }
}

interface ParsedRecord {
  record: string[]
  info: { lines: number }
}

async function readFirstLine(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  while (length < MAX_SNIFFED_BYTES) {
    const { value, done } = await chunks.next()
    if (done) break
    parts.push(value)
    length += value.length
    if (value.includes(0x0a)) break
  }
  return Buffer.concat(parts)
}

async function* prepend(first: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/** Returns the separator that occurs most often in the header line. */
export function detectCsvSeparator(text: string): string {
  const header = /^[^\r\n]*/.exec(text.replace(/^\ufeff?[\r\n]*/, ''))![0].replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: header.split(separator).length }))
  return counts.reduce((best, candidate) => (candidate.count > best.count ? candidate : best)).separator
}

const newlinesIn = (cells: readonly string[]) =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0)

function toReadError(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error
  const line = Number((error as unknown as { lines?: number }).lines ?? 1)
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return new ImportReadError(line, `is longer than ${MAX_RECORD_BYTES / 1_024} KiB: a quote may not be closed`)
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return new ImportReadError(line, 'the file ends inside a quoted field')
  return new ImportReadError(line, 'is not valid CSV')
}
