import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Logger, pino } from 'pino'
import { makeFolder } from '../files/make-folder.ts'
import { createLineBatch } from './line-batch.ts'
import { createInfoLineStart, type LogFormat, toLoggerFormat } from './log-format.ts'

export interface Log extends AsyncDisposable {
  logger: Logger
  /** Writes one finished JSON line of the access log without pino's serialisers, which would be most of the cost of a cached read. */
  writeAccessLine(json: string): void
  /** Begins a line for `writeAccessLine`, with its time in milliseconds since the epoch. Members and `}` follow. */
  startAccessLine(time: number): string
  /** Opens the file by its path again, after it was moved. Without a file, or if it cannot be opened, the log goes on as it is. */
  reopen(): void
}

export interface LogOptions extends LogFormat {
  file: string | null
  level: string
}

/** Memory for lines while the disk is slow; lines beyond are dropped, so that no request waits for a disk. */
const MAX_BUFFERED_BYTES = 16 * 1_048_576
const BATCH_MS = 500
const OWNER_ONLY = 0o600
/** The kernel writes that much to a pipe at once (PIPE_BUF): lines of workers that share standard output are not mixed. */
const ATOMIC_BYTES = 4_096

/**
 * A log that never blocks the event loop. Access lines are encoded once into a batch, which is written in the background
 * when it is full or half a second old. A line of the logger is written at once, after the lines before it. `worker`: the number of a worker, which its lines name.
 */
export function createLog(options: LogOptions, worker?: number): Log {
  const { file } = options
  if (file) requireWritable(file)
  const isShared = worker !== undefined && file === null
  const destination = pino.destination({
    dest: file ?? 1,
    mode: OWNER_ONLY,
    sync: false,
    contentMode: 'buffer',
    maxLength: MAX_BUFFERED_BYTES,
    ...(isShared && { maxWrite: ATOMIC_BYTES }),
  } as Parameters<typeof pino.destination>[0] & object)
  let hasNoReader = false
  let isReopening = false
  destination.on('ready', () => {
    isReopening = false
  })
  destination.on('error', ({ code }: NodeJS.ErrnoException) => {
    isReopening = false
    // pino neither writes to nor ends the destination afterwards.
    if (code === 'EPIPE') hasNoReader = true
  })
  const lines = createLineBatch(
    (bytes) => destination.write(bytes as unknown as string),
    isShared ? ATOMIC_BYTES : undefined,
  )
  let isClosed = false

  function append(line: string): void {
    // Code that still runs during shutdown may log: that must not throw.
    if (!isClosed) lines.append(line)
  }

  const timer = setInterval(lines.flush, BATCH_MS).unref()
  const logger = pino(
    {
      level: options.level,
      base: worker === undefined ? null : { worker },
      redact: { paths: redacted, censor: '[redacted]' },
      ...toLoggerFormat(options),
    },
    {
      write(line) {
        append(line)
        lines.flush()
      },
    },
  )
  return {
    logger,
    writeAccessLine: (json) => {
      if (logger.isLevelEnabled('info')) append(`${json}\n`)
    },
    startAccessLine: createInfoLineStart(options),
    reopen() {
      if (file === null || isClosed) return
      lines.flush()
      try {
        requireWritable(file)
        destination.reopen()
        isReopening = true
      } catch (error) {
        logger.error({ reason: (error as Error).message }, 'the log could not be opened again')
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      lines.flush()
      isClosed = true
      if (hasNoReader) return
      await new Promise<void>((resolve) => {
        destination.on('close', resolve)
        // Lines that cannot be written are dropped. Otherwise pino tries to write them at exit, again and again.
        destination.on('error', () => {
          destination.destroy()
          resolve()
        })
        // The destination never closes when it is ended while a write delays its reopening.
        if (isReopening) destination.once('ready', () => destination.end())
        else destination.end()
      })
    },
  }
}

/** Creates the file for this account alone, since it may contain emails. A file that exists keeps its permissions. */
function requireWritable(file: string): void {
  try {
    makeFolder(dirname(file))
    closeSync(openSync(file, 'a', OWNER_ONLY))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(
      `The log file ${file} cannot be written (${code}). Set log.file to a path that this account can write.`,
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
