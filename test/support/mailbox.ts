import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { until } from './until.ts'

export interface ReceivedEmail {
  from: string
  to: string
  subject: string
  text: string
}

export interface Mailbox extends AsyncDisposable {
  /** `smtp://…` */
  url: string
  emails: ReceivedEmail[]
  /** Waits for the email to this address that follows `after` others. */
  emailTo(address: string, after?: number): Promise<ReceivedEmail>
  /** The token in that email. */
  tokenFor(address: string, after?: number): Promise<string>
  /** Rejects every email from now on. */
  rejectAll(): void
}

/** A real SMTP server on a free port. */
export async function startMailbox(): Promise<Mailbox> {
  const emails: ReceivedEmail[] = []
  let isRejecting = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, done) => done(isRejecting ? new Error(`no such mailbox: ${address}`) : undefined),
    onData(stream, session, done) {
      text(stream).then((raw) => {
        emails.push(parseEmail(raw, session.envelope.rcptTo[0]!.address))
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo

  async function emailTo(address: string, after = 0): Promise<ReceivedEmail> {
    const received = () => emails.filter((email) => email.to === address)
    await until(`${address} has email ${after + 1}`, () => received().length > after)
    return received()[after]!
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    emails,
    emailTo,
    tokenFor: async (address, after) => /[0-9A-Za-z]{43}/.exec((await emailTo(address, after)).text)![0],
    rejectAll: () => {
      isRejecting = true
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function parseEmail(raw: string, to: string): ReceivedEmail {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head.replace(/\r\n[ \t]+/g, ' '))?.[1] ?? ''
  return { to, from: header('From'), subject: header('Subject'), text: decodeQuotedPrintable(rest.join('\n\n')) }
}

/** Decodes quoted-printable, as far as these emails use it. */
const decodeQuotedPrintable = (text: string) =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
