/** One record of a file: a line of CSV, or an element of XML. */
export interface FileRecord<Item> {
  /** The line where the record starts, from 1. */
  line: number
  /** Throws ImportFieldError. */
  parse(): Item
}

/** Reads the records of one file. */
export interface FileFormat<Item> {
  /** Throws ImportReadError when the file cannot be read any further. */
  read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord<Item>>
  /** True when the header of the file was valid. */
  readonly hasHeader: boolean
  /** Columns or elements that the import does not use. */
  readonly unused: readonly string[]
}
