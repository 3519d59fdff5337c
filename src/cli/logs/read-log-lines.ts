import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createLineSplitter } from './line-splitter.ts'

const CHUNK_BYTES = 65_536
const POLL_MS = 250

export interface LogReadOptions {
  /** Goes on with the lines that are appended. A file that is moved is read to its end, then the new one of its path; a truncated one from its start. */
  follow: boolean
  /** Waits until the file may have changed. */
  wait?: () => Promise<unknown>
}

/** Yields the lines of a log, long ones cut, and `null` where it ended when it was opened. Without `follow`, that is the last one. */
export async function* readLogLines(
  path: string,
  { follow, wait = () => pause(POLL_MS) }: LogReadOptions,
): AsyncGenerator<string | null> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  const splitter = createLineSplitter()
  const takeUnfinished = () => [splitter.end()].filter((line) => line !== null)
  let file = await open(path)
  try {
    for (let position = 0, hasReachedEnd = false, isMoved = false; ; ) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position)
      if (bytesRead > 0) {
        position += bytesRead
        yield* splitter.push(chunk.subarray(0, bytesRead))
        continue
      }
      if (!hasReachedEnd) {
        // A line that is being written, or that a full disk cut off.
        if (!follow) yield* takeUnfinished()
        yield null
        if (!follow) return
        hasReachedEnd = true
      }
      if (isMoved) {
        yield* takeUnfinished()
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
        yield* takeUnfinished()
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
