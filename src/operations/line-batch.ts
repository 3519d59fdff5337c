const BATCH_BYTES = 65_536

export interface LineBatch {
  append(line: string): void
  /** Writes the lines that were not written yet. */
  flush(): void
}

/** Creates a batch of lines, each of which is encoded once. A full batch is written when the next line comes. */
export function createLineBatch(write: (bytes: Buffer) => void): LineBatch {
  let batch = Buffer.allocUnsafe(BATCH_BYTES)
  let usedBytes = 0

  function flush(): void {
    if (usedBytes === 0) return
    write(batch.subarray(0, usedBytes))
    batch = Buffer.allocUnsafe(BATCH_BYTES)
    usedBytes = 0
  }

  return {
    append(line) {
      // A UTF-16 unit takes three bytes of UTF-8 at most.
      const maxLineBytes = line.length * 3
      if (usedBytes + maxLineBytes > BATCH_BYTES) flush()
      if (maxLineBytes > BATCH_BYTES) write(Buffer.from(line))
      else usedBytes += batch.write(line, usedBytes)
    },
    flush,
  }
}
