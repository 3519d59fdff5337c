import { openSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Logger, pino } from 'pino'
import { makeFolder } from '../lifecycle/make-folder.ts'

export interface Log extends AsyncDisposable {
  logger: Logger
  /** One finished JSON line of the access log, past pino's serialisers: their work is most of what a cached read would cost. */
  writeAccessLine(json: string): void
}

/** Held in memory at the most while a disk is slow; what comes on top is dropped rather than waited for. */
const MAX_BUFFERED_BYTES = 16 * 1_048_576
const BATCH_BYTES = 65_536
const BATCH_MS = 500

/**
 * A log that never blocks the event loop. Access lines are encoded once into a batch, which is written in the background
 * when it is full or half a second old; what pino says of a failure is written at once, behind the lines before it.
 */
export function createLog(options: { file: string | null; level: string }): Log {
  const fd = options.file ? openLog(options.file) : 1
  const destination = pino.destination({
    dest: fd,
    sync: false,
    contentMode: 'buffer',
    maxLength: MAX_BUFFERED_BYTES,
  } as Parameters<typeof pino.destination>[0] & object)
  let unread = false
  destination.on('error', ({ code }: NodeJS.ErrnoException) => {
    // From then on pino neither writes nor ends it.
    if (code === 'EPIPE') unread = true
  })
  let batch = Buffer.allocUnsafe(BATCH_BYTES)
  let used = 0
  let closed = false

  function flush(): void {
    if (used === 0) return
    destination.write(batch.subarray(0, used) as unknown as string)
    batch = Buffer.allocUnsafe(BATCH_BYTES)
    used = 0
  }

  /** A line is longer in bytes than in characters by three times at the most. */
  function append(line: string): void {
    // What is still at work while all is put away must not end the process over its words.
    if (closed) return
    const most = line.length * 3
    if (used + most > BATCH_BYTES) flush()
    if (most > BATCH_BYTES) destination.write(Buffer.from(line) as unknown as string)
    else used += batch.write(line, used)
  }

  const timer = setInterval(flush, BATCH_MS).unref()
  const logger = pino(
    { level: options.level, base: null, redact: { paths: redacted, censor: '[redacted]' } },
    {
      write(line) {
        append(line)
        flush()
      },
    },
  )
  return {
    logger,
    writeAccessLine: (json) => {
      if (logger.isLevelEnabled('info')) append(`${json}\n`)
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      flush()
      closed = true
      if (unread) return
      await new Promise<void>((resolve) => {
        destination.on('close', resolve)
        // What cannot be written is not waited for.
        destination.on('error', resolve)
        destination.end()
      })
    },
  }
}

/** Readable by this account alone, unless it is there already with other rights: letters may stand in it. */
function openLog(file: string): number {
  try {
    makeFolder(dirname(file))
    return openSync(file, 'a', 0o600)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(
      `The log ${file} cannot be written (${code}). Set log.file to a path that this account may write.`,
      { cause },
    )
  }
}

const secrets = [
  'authorization',
  'key',
  'token',
  'password',
  'secret',
  'shopper_token',
  'refresh_token',
  'signing_secret',
  'x-storefront-shopper-token',
  'cookie',
]
const redacted = secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])
