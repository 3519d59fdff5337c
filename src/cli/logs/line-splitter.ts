import { StringDecoder } from 'node:string_decoder'

const NEWLINE = 0x0a
/** Longer lines are cut: no line of Forecourt is near this length, and one of another program may be larger than memory. */
export const MAX_LINE_BYTES = 1_048_576

/** Joins the chunks of a file to lines. Each byte is looked at once, and of a long line only the beginning is kept. */
export interface LineSplitter {
  /** Returns the lines that end in this chunk. */
  push(chunk: Buffer): string[]
  /** Returns the line that has not ended yet, and begins anew; `null`: there is none. */
  end(): string | null
}

export function createLineSplitter(maxBytes = MAX_LINE_BYTES): LineSplitter {
  let kept: Buffer[] = []
  let keptBytes = 0
  let lineBytes = 0

  function keep(part: Buffer): void {
    lineBytes += part.length
    const fitting = part.subarray(0, maxBytes - keptBytes)
    keptBytes += fitting.length
    // The reader fills its buffer again.
    if (fitting.length > 0) kept.push(Buffer.from(fitting))
  }
  function takeLine(): string {
    const bytes = Buffer.concat(kept, keptBytes)
    const text = lineBytes > keptBytes ? formatCutLine(bytes, lineBytes) : bytes.toString()
    kept = []
    keptBytes = 0
    lineBytes = 0
    return text
  }

  return {
    push(chunk) {
      const lines: string[] = []
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        keep(chunk.subarray(start, end))
        lines.push(takeLine())
        start = end + 1
      }
      keep(chunk.subarray(start))
      return lines
    },
    end: () => (lineBytes === 0 ? null : takeLine()),
  }
}

/** A decoder leaves out a character that the cut has divided. */
const formatCutLine = (beginning: Buffer, lineBytes: number) =>
  `${new StringDecoder('utf8').write(beginning)} … [cut: the line has ${lineBytes} bytes]`
