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
  letters: ReceivedEmail[]
  /** The letter to this address that comes after so many others to it. */
  letterTo(address: string, after?: number): Promise<ReceivedEmail>
  /** The token in that letter. */
  tokenFor(address: string, after?: number): Promise<string>
  /** Refuses every letter from now on. */
  refuse(): void
}

/** A real SMTP server on a free port. */
export async function startMailbox(): Promise<Mailbox> {
  const letters: ReceivedEmail[] = []
  let refusing = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, done) => done(refusing ? new Error(`no such mailbox: ${address}`) : undefined),
    onData(stream, session, done) {
      text(stream).then((raw) => {
        letters.push(received(raw, session.envelope.rcptTo[0]!.address))
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo

  async function letterTo(address: string, after = 0): Promise<ReceivedEmail> {
    const to = () => letters.filter((letter) => letter.to === address)
    await until(`${address} has letter ${after + 1}`, () => to().length > after)
    return to()[after]!
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    letterTo,
    tokenFor: async (address, after) => /[0-9A-Za-z]{43}/.exec((await letterTo(address, after)).text)![0],
    refuse: () => {
      refusing = true
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function received(raw: string, to: string): ReceivedEmail {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head.replace(/\r\n[ \t]+/g, ' '))?.[1] ?? ''
  return { to, from: header('From'), subject: header('Subject'), text: decoded(rest.join('\n\n')) }
}

/** Quoted-printable, as far as these letters go. */
const decoded = (text: string) =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
