import type { FileFormat } from './file-format.ts'
import { ImportFieldError, ImportReadError } from './import-errors.ts'
import type { FileSummary, InvalidLine } from './import-report.ts'

export interface FileLimits {
  rows: number
  bytes: number
}

export const defaultFileLimits: FileLimits = { rows: 2_000_000, bytes: 2 ** 30 }

/** Parses one file, and keeps its figures. */
export interface FileParser<Row> {
  /** Yields the rows of each line. Bad lines and duplicates have none. */
  read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Row[]>
  /** True when the file was read to its end. */
  readonly isComplete: boolean
  readonly bytes: number
  readonly lines: number
  readonly rows: number
  readonly badLines: number
  fileSummary(): FileSummary
}

export interface FileParserParts<Item, Row> {
  format: FileFormat<Item>
  /** Returns the new rows of a record; none: it repeats an earlier one. Throws ImportFieldError. */
  toRows(item: Item, line: number): Row[]
  onBadLine(bad: InvalidLine): void
  limits?: FileLimits | undefined
}

export function createFileParser<Item, Row>(parts: FileParserParts<Item, Row>): FileParser<Row> {
  const { format, toRows, onBadLine, limits = defaultFileLimits } = parts
  let [bytes, lines, badLines, duplicateLines, rows] = [0, 0, 0, 0, 0]
  let isComplete = false

  function reportBadLine(line: number, error: unknown): void {
    if (!(error instanceof ImportFieldError)) throw error
    badLines += 1
    onBadLine({ line, mistake: error.message })
  }

  async function* countBytes(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > limits.bytes) throw new ImportReadError(lines + 1, `the file is larger than ${limits.bytes} bytes`)
      yield chunk
    }
  }

  function toNewRows(parse: () => Item, line: number): Row[] {
    try {
      const newRows = toRows(parse(), line)
      if (newRows.length === 0) duplicateLines += 1
      rows += newRows.length
      return newRows
    } catch (error) {
      reportBadLine(line, error)
      return []
    }
  }

  return {
    async *read(source) {
      let isLineCounted = false
      try {
        for await (const { line, parse } of format.read(countBytes(source))) {
          lines += 1
          isLineCounted = true
          yield toNewRows(parse, line)
          if (rows > limits.rows) throw new ImportReadError(line, `exceeds ${limits.rows} rows`)
          isLineCounted = false
        }
        isComplete = true
      } catch (error) {
        reportBadLine(error instanceof ImportReadError ? error.line : 0, error)
        // Count the line where the reading ended.
        if (!isLineCounted) lines += 1
      }
    },
    get isComplete() {
      return isComplete
    },
    get bytes() {
      return bytes
    },
    get lines() {
      return lines
    },
    get badLines() {
      return badLines
    },
    get rows() {
      return rows
    },
    fileSummary: () => ({
      hasHeader: format.hasHeader,
      isComplete,
      lines,
      badLines,
      duplicateLines,
      unused: format.unused,
    }),
  }
}
