import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Email, Mailer } from '../commands/command-context.ts'
import type { MailConfig } from '../config/config.ts'

const CONNECT_MS = 5_000
const SILENCE_MS = 10_000
/** How long letters under way are waited for when the program ends. */
const PATIENCE_MS = 3_000
const CONNECTIONS = 2
/** More than that are not held in memory while a mail server is slow. */
const MOST_UNDER_WAY = 1_000

type Deliver = (letter: Email) => Promise<unknown>

/** Letters through SMTP; with `log:` into the log, tokens and all; without a server nowhere, which the log says. */
export function createMailSender(settings: MailConfig | null, logger: Logger): Mailer & AsyncDisposable {
  const { deliver, close } = carrierOf(settings, logger)
  const underWay = new Set<Promise<void>>()

  /** What a mail server says may name its reader: its codes are all that is logged. */
  async function send(letter: Email): Promise<void> {
    await new Promise(setImmediate)
    try {
      await deliver(letter)
    } catch (error) {
      const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
      logger.warn({ code, response_code: responseCode, command }, 'a letter could not be sent')
    }
  }

  return {
    post(letter) {
      if (underWay.size >= MOST_UNDER_WAY) {
        logger.warn({ under_way: underWay.size }, 'a letter was not sent: too many are waiting')
        return
      }
      const sending = send(letter).finally(() => underWay.delete(sending))
      underWay.add(sending)
    },
    async [Symbol.asyncDispose]() {
      const given = new AbortController()
      const patience = pause(PATIENCE_MS, undefined, { signal: given.signal }).catch(() => {})
      await Promise.race([Promise.all(underWay), patience])
      given.abort()
      close()
    },
  }
}

function carrierOf(settings: MailConfig | null, logger: Logger): { deliver: Deliver; close(): void } {
  if (!settings) {
    const deliver: Deliver = async () => logger.warn('a letter was not sent: there is no mail in the configuration')
    return { deliver, close() {} }
  }
  if (settings.url === 'log:') {
    const deliver: Deliver = async ({ from, ...letter }) =>
      logger.info({ from: from ?? settings.from, ...letter }, 'mail')
    return { deliver, close() {} }
  }
  // Loaded where letters are sent alone: it is large.
  const transport = import('nodemailer').then(({ createTransport }) =>
    createTransport({
      ...{ url: settings.url, pool: true, maxConnections: CONNECTIONS },
      ...{ connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
      ...{ disableFileAccess: true, disableUrlAccess: true },
    }),
  )
  return {
    deliver: async ({ from, ...letter }) => (await transport).sendMail({ from: from ?? settings.from, ...letter }),
    close: () => void transport.then((opened) => opened.close()),
  }
}
