import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Logger, pino } from 'pino'

export interface Log extends AsyncDisposable {
  logger: Logger
  /** One finished JSON line of the access log, past pino's serialisers: their work is most of what a cached read would cost. */
  line(json: string): void
}

/** Held in memory at the most while a disk is slow; what comes on top is dropped rather than waited for. */
const MAX_BUFFERED_BYTES = 16 * 1_048_576

/** A log that never blocks the event loop: lines gather and are written in the background, at the latest after a second. */
export function createLog(options: { file: string | null; level: string }): Log {
  if (options.file) mkdirSync(dirname(options.file), { recursive: true })
  const destination = pino.destination({
    dest: options.file ?? 1,
    sync: false,
    minLength: 65_536,
    maxWrite: 131_072,
    maxLength: MAX_BUFFERED_BYTES,
    periodicFlush: 1_000,
  })
  destination.on('error', () => {})
  const logger = pino(
    { level: options.level, base: null, redact: { paths: redacted, censor: '[redacted]' }, messageKey: 'msg' },
    destination,
  )
  return {
    logger,
    line: (json) => void destination.write(`${json}\n`),
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        destination.on('close', resolve)
        destination.end()
      })
    },
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
