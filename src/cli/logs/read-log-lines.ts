import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

const CHUNK_BYTES = 65_536
const POLL_MS = 250
const NEWLINE = 0x0a

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
    for (let position = 0, rest = Buffer.alloc(0), hasReachedEnd = false, isMoved = false; ; ) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position)
      if (bytesRead > 0) {
        const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
        const end = bytes.lastIndexOf(NEWLINE) + 1
        rest = bytes.subarray(end)
        position += bytesRead
        if (end > 0) yield* bytes.toString('utf8', 0, end - 1).split('\n')
        continue
      }
      if (!hasReachedEnd) {
        // A line that is being written, or that a full disk cut off.
        if (!follow && rest.length > 0) yield rest.toString()
        yield null
        if (!follow) return
        hasReachedEnd = true
      }
      if (isMoved) {
        await file.close()
        file = await open(path)
        isMoved = false
        position = 0
        rest = Buffer.alloc(0)
        continue
      }
      // Lines may have been written to it since: it is read once more.
      isMoved = await isAnotherFile(file, path)
      if (isMoved) continue
      if ((await file.stat()).size < position) {
        position = 0
        rest = Buffer.alloc(0)
      } else await wait()
    }
  } finally {
    await file.close()
  }
}

/** A path without a file is one that the server is about to create. */
async function isAnotherFile(file: FileHandle, path: string): Promise<boolean> {
  const [{ ino, dev }, current] = await Promise.all([file.stat(), stat(path).catch(() => null)])
  return current !== null && (current.ino !== ino || current.dev !== dev)
}
