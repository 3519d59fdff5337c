import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { randomBase62 } from '../../security/base62.ts'
import { UsageError } from '../usage-error.ts'

export interface OperatorPasswordOptions {
  passwordStdin?: boolean
  generate?: boolean
}

const MIN_LENGTH = 12
const MAX_LENGTH = 1_024
const MIN_DIFFERENT_CHARACTERS = 5
const GENERATED_LENGTH = 24

export const generateOperatorPassword = (): string => randomBase62(GENERATED_LENGTH)

/** Returns the password of an account: generated, read from standard input, or typed twice without an echo. */
export async function readOperatorPassword(
  options: OperatorPasswordOptions,
): Promise<{ password: string; isGenerated: boolean }> {
  if (options.generate && options.passwordStdin) throw new UsageError('Give --generate or --password-stdin, not both')
  if (options.generate) return { password: generateOperatorPassword(), isGenerated: true }
  const password = options.passwordStdin ? await readFirstLine() : await promptTwice()
  requireStrength(password)
  return { password, isGenerated: false }
}

function requireStrength(password: string): void {
  const { length } = password
  if (length < MIN_LENGTH)
    throw new UsageError(`A password needs at least ${MIN_LENGTH} characters; this one has ${length}`)
  if (new Set(password).size < MIN_DIFFERENT_CHARACTERS)
    throw new UsageError(`A password needs at least ${MIN_DIFFERENT_CHARACTERS} different characters`)
  if (length > MAX_LENGTH) throw new UsageError(`A password has at most ${MAX_LENGTH} characters`)
}

async function readFirstLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line
  return ''
}

async function promptTwice(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new UsageError('There is no terminal to type a password at: use --password-stdin or --generate')
  const noEcho = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: noEcho, terminal: true, historySize: 0 })
  // In this mode, Ctrl-C does not cause a signal.
  terminal.once('SIGINT', () => process.exit(130))
  // One iterator for both prompts, so that pasted lines are not lost.
  const lines = terminal[Symbol.asyncIterator]()
  async function prompt(label: string): Promise<string> {
    process.stderr.write(label)
    const { value, done } = await lines.next()
    process.stderr.write('\n')
    if (done) throw new UsageError('No password was typed; nothing was changed')
    return value
  }
  try {
    const password = await prompt('Password: ')
    requireStrength(password)
    if ((await prompt('Repeat the password: ')) !== password)
      throw new UsageError('The two passwords differ; nothing was changed')
    return password
  } finally {
    terminal.close()
  }
}
