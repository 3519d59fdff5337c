import { createInterface } from 'node:readline'
import { printError } from '../print.ts'
import { UsageError } from '../usage-error.ts'

/** A question as it is put to a person. */
export interface AskedQuestion {
  text: string
  choices?: readonly string[]
  isSecret: boolean
  fallback: string | undefined
  /** Returns what is wrong with an answer. */
  findMistake(answer: string): string | undefined
}

/** Reads answers from a person at a terminal, or line by line from standard input. */
export interface AnswerReader extends Disposable {
  ask(question: AskedQuestion): Promise<string>
}

const INTERRUPTED = 130

export const createAnswerReader = (): AnswerReader =>
  process.stdin.isTTY ? createTerminalReader() : createLineReader()

function createTerminalReader(): AnswerReader {
  return {
    async ask(question) {
      try {
        return await promptFor(question)
      } catch (error) {
        // Ctrl-C and Ctrl-D. Nothing has been written yet.
        if ((error as Error).name === 'ExitPromptError') process.exit(INTERRUPTED)
        throw error
      }
    },
    [Symbol.dispose]() {},
  }
}

async function promptFor({ text, choices, isSecret, fallback, findMistake }: AskedQuestion): Promise<string> {
  const validate = (answer: string) => findMistake(answer.trim() || (fallback ?? '')) ?? true
  if (choices) {
    const { default: select } = await import('@inquirer/select')
    return select({ message: text, choices: [...choices], ...(fallback !== undefined && { default: fallback }) })
  }
  if (isSecret) {
    const { default: password } = await import('@inquirer/password')
    const message = fallback === undefined ? text : `${text} [${fallback}]`
    return (await password({ message, mask: true, validate })).trim() || (fallback ?? '')
  }
  const { default: input } = await import('@inquirer/input')
  return (await input({ message: text, validate, ...(fallback !== undefined && { default: fallback }) })).trim()
}

/** Prompt libraries lose lines of a pipe between two questions. Here each line is one answer, and an empty one is the default. */
function createLineReader(): AnswerReader {
  const input = createInterface({ input: process.stdin })
  const lines = input[Symbol.asyncIterator]()

  async function readLine(text: string): Promise<string> {
    const { value, done } = await lines.next()
    if (!done) return value.trim()
    throw new UsageError(`Standard input ended before this was answered: ${text}. Nothing was written`)
  }

  return {
    async ask({ text, choices, fallback, findMistake }) {
      for (;;) {
        printError(
          `${text}${choices ? ` (${choices.join(', ')})` : ''}${fallback === undefined ? '' : ` [${fallback}]`}:`,
        )
        const answer = (await readLine(text)) || (fallback ?? '')
        const mistake = findMistake(answer)
        if (mistake === undefined) return answer
        printError(`  ${mistake}`)
      }
    },
    [Symbol.dispose]: () => input.close(),
  }
}
