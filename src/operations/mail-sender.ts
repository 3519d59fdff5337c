import type { Logger } from 'pino'
import type { MailConfig } from '../config/config.ts'
import { waitUpTo } from '../lifecycle/wait-up-to.ts'
import type { Email, Mailer } from './email.ts'

const CONNECT_TIMEOUT_MS = 5_000
const SOCKET_TIMEOUT_MS = 10_000
/** How long disposal waits for emails under way. */
const DISPOSE_TIMEOUT_MS = 3_000
const MAX_CONNECTIONS = 2
/** Emails in memory while a mail server is slow; those beyond are dropped. */
const MAX_UNDER_WAY = 1_000

type SendEmail = (email: Email) => Promise<unknown>

export interface MailSender extends Mailer, AsyncDisposable {
  /** Sends an email now. Resolves with the code of the failure, which is logged, or `null`. */
  deliver(email: Email): Promise<string | null>
}

/** Sends emails through SMTP. With `log:` they go into the log, tokens included; without a mail server they are dropped, and the log says so. */
export function createMailSender(settings: MailConfig | null, logger: Logger): MailSender {
  const { send, close } = openTransport(settings, logger)
  const underWay = new Set<Promise<unknown>>()

  /** Logs the codes of the mail server, not its text: that may name the recipient. */
  async function sendOrLog(email: Email): Promise<string | null> {
    await new Promise(setImmediate)
    try {
      await send(email)
      return null
    } catch (error) {
      const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
      logger.warn({ code, response_code: responseCode, command }, 'an email could not be sent')
      return String(responseCode ?? code ?? 'not sent')
    }
  }

  return {
    deliver: sendOrLog,
    send(email) {
      if (underWay.size >= MAX_UNDER_WAY) {
        logger.warn({ under_way: underWay.size }, 'an email was dropped: too many are waiting to be sent')
        return
      }
      const sending = sendOrLog(email).finally(() => underWay.delete(sending))
      underWay.add(sending)
    },
    async [Symbol.asyncDispose]() {
      await waitUpTo(DISPOSE_TIMEOUT_MS, Promise.all(underWay))
      close()
    },
  }
}

function openTransport(settings: MailConfig | null, logger: Logger): { send: SendEmail; close(): void } {
  if (!settings) return { send: async () => logger.warn('an email was dropped: mail is not configured'), close() {} }
  const withSender = (email: Email) => ({ ...email, from: email.from ?? settings.from })
  if (settings.url === 'log:') return { send: async (email) => logger.info(withSender(email), 'mail'), close() {} }
  // nodemailer is large, and loaded only where emails are sent.
  const transport = import('nodemailer').then(({ createTransport }) =>
    createTransport({
      url: settings.url,
      pool: true,
      maxConnections: MAX_CONNECTIONS,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
  return {
    send: async (email) => (await transport).sendMail(withSender(email)),
    close: () => void transport.then((opened) => opened.close()),
  }
}
