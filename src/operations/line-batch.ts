const BATCH_BYTES = 65_536

export interface LineBatch {
  append(line: string): void
  /** Writes the lines that were not written yet. */
  flush(): void
}

/** Creates a batch of lines, each of which is encoded once. A full batch is written when the next line comes. A longer line is written alone. */
export function createLineBatch(write: (bytes: Buffer) => void, batchBytes = BATCH_BYTES): LineBatch {
  let batch = Buffer.allocUnsafe(batchBytes)
  let usedBytes = 0

  function flush(): void {
    if (usedBytes === 0) return
    write(batch.subarray(0, usedBytes))
    batch = Buffer.allocUnsafe(batchBytes)
    usedBytes = 0
  }

  return {
    append(line) {
      // A UTF-16 unit takes three bytes of UTF-8 at most.
      const maxLineBytes = line.length * 3
      if (usedBytes + maxLineBytes > batchBytes) flush()
      if (maxLineBytes > batchBytes) write(Buffer.from(line))
      else usedBytes += batch.write(line, usedBytes)
    },
    flush,
  }
}
