import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { randomBase62 } from '../../storage/keys/api-key-format.ts'
import { UsageError } from '../usage-error.ts'

export interface OperatorPasswordOptions {
  passwordStdin?: boolean
  generate?: boolean
}

const SHORTEST = 12
const LONGEST = 1_024
const FEWEST_DIFFERENT = 5
const GENERATED_LENGTH = 24

export const generateOperatorPassword = (): string => randomBase62(GENERATED_LENGTH)

/** The password of an account: made, read from standard input, or typed twice without being shown. */
export async function readOperatorPassword(
  options: OperatorPasswordOptions,
): Promise<{ password: string; generated: boolean }> {
  if (options.generate && options.passwordStdin) throw new UsageError('Give --generate or --password-stdin, not both')
  if (options.generate) return { password: generateOperatorPassword(), generated: true }
  return { password: judged(options.passwordStdin ? await piped() : await typed()), generated: false }
}

function judged(password: string): string {
  const { length } = password
  if (length < SHORTEST)
    throw new UsageError(`A password has ${SHORTEST} characters at the least; this one has ${length}`)
  if (new Set(password).size < FEWEST_DIFFERENT)
    throw new UsageError(`A password has ${FEWEST_DIFFERENT} different characters at the least`)
  if (length > LONGEST) throw new UsageError(`A password has ${LONGEST} characters at the most`)
  return password
}

/** The first line. */
async function piped(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line
  return ''
}

async function typed(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new UsageError('There is no terminal to type a password at: use --password-stdin or --generate')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true, historySize: 0 })
  // Ctrl-C, which the terminal does not turn into a signal meanwhile.
  terminal.once('SIGINT', () => process.exit(130))
  // What is typed ahead, or pasted, is not lost.
  const lines = terminal[Symbol.asyncIterator]()
  async function ask(question: string): Promise<string> {
    process.stderr.write(question)
    const { value, done } = await lines.next()
    process.stderr.write('\n')
    if (done) throw new UsageError('Nothing was typed; nothing was changed')
    return value
  }
  try {
    const password = judged(await ask('Password: '))
    if ((await ask('Once more: ')) !== password) throw new UsageError('The two are not the same; nothing was changed')
    return password
  } finally {
    terminal.close()
  }
}
