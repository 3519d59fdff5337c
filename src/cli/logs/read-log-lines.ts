import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

const CHUNK_BYTES = 65_536
const POLL_MS = 250
const NEWLINE = 0x0a
/** A longer line is yielded in parts: a file that is no log may have no lines. */
const MAX_LINE_BYTES = 16 * 1_048_576

export interface LogReadOptions {
  /** Goes on with the lines that are appended. A file that is moved is read to its end, then the new one of its path; a truncated one from its start. */
  follow: boolean
  /** Waits until the file may have changed. */
  wait?: () => Promise<unknown>
}

/** Yields the lines of a log, and `null` where it ended when it was opened. Without `follow`, that is the last one. */
export async function* readLogLines(
  path: string,
  { follow, wait = () => pause(POLL_MS) }: LogReadOptions,
): AsyncGenerator<string | null> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  let file = await open(path)
  try {
    for (let position = 0, rest = createRest(), hasReachedEnd = false, isMoved = false; ; ) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position)
      if (bytesRead > 0) {
        position += bytesRead
        yield* rest.add(chunk.subarray(0, bytesRead))
        continue
      }
      if (!hasReachedEnd) {
        // A line that is being written, or that a full disk cut off.
        if (!follow) yield* rest.take()
        yield null
        if (!follow) return
        hasReachedEnd = true
      }
      if (isMoved) {
        yield* rest.take()
        const next = await open(path)
        await file.close()
        file = next
        isMoved = false
        position = 0
        continue
      }
      // Lines may have been written to it since: it is read once more.
      isMoved = await isAnotherFile(file, path)
      if (isMoved) continue
      if ((await file.stat()).size < position) {
        position = 0
        yield* rest.take()
      } else await wait()
    }
  } finally {
    await file.close()
  }
}

/** Keeps the bytes of a line whose end has not been read. */
function createRest() {
  let parts: Buffer[] = []
  let length = 0

  function take(): string[] {
    const line = length > 0 ? [Buffer.concat(parts).toString()] : []
    parts = []
    length = 0
    return line
  }

  function keep(bytes: Buffer): void {
    parts.push(Buffer.from(bytes))
    length += bytes.length
  }

  return {
    take,
    /** Returns the lines that end in these bytes. */
    add(bytes: Buffer): string[] {
      const end = bytes.lastIndexOf(NEWLINE)
      if (end === -1) {
        keep(bytes)
        return length < MAX_LINE_BYTES ? [] : take()
      }
      const lines = Buffer.concat([...parts, bytes.subarray(0, end)])
        .toString()
        .split('\n')
      parts = []
      length = 0
      if (end + 1 < bytes.length) keep(bytes.subarray(end + 1))
      return lines
    },
  }
}

/** A path without a file is one that the server is about to create. */
async function isAnotherFile(file: FileHandle, path: string): Promise<boolean> {
  const [{ ino, dev }, current] = await Promise.all([file.stat(), stat(path).catch(() => null)])
  return current !== null && (current.ino !== ino || current.dev !== dev)
}
