import { environment } from '../../config/environment/process-environment.ts'
import { parseChoiceOption, parseIntegerOption } from '../parse-option.ts'
import { UsageError } from '../usage-error.ts'
import { type AnswerReader, createAnswerReader } from './answer-reader.ts'
import { MAIL_VARIABLE, STORE_VARIABLE, secretSettings } from './environment-variable-names.ts'
import { findAnswerMistake } from './find-answer-mistake.ts'
import { backOffices, draftAnswers, type InitAnswers } from './init-answers.ts'
import { type CurrencyReader, type InitQuestion, initQuestions } from './init-questions.ts'

export type AnswerOptions = Partial<Record<keyof InitAnswers, string>>

/** Collects an answer to each question: from the options, from the environment (secrets), or by asking. With `isQuiet`, defaults answer the rest. */
export async function collectAnswers(
  options: AnswerOptions,
  { isQuiet, readCurrency }: { isQuiet: boolean; readCurrency: CurrencyReader },
): Promise<InitAnswers> {
  const port = options.port ?? draftAnswers.port
  parseIntegerOption('--port', port, { min: 1, max: 65_535 })
  const answers: Partial<InitAnswers> = {}
  let reader: AnswerReader | undefined
  try {
    for (const question of initQuestions) {
      // The questions before this one are answered, and no question looks further.
      const known = answers as InitAnswers
      if (!question.isAsked(known)) continue
      const given = options[question.name] ?? environment[variableOf(question, known) ?? '']
      const answer = given ?? (isQuiet ? await requireFallback(question, known, readCurrency) : undefined)
      if (answer !== undefined) Object.assign(answers, checked(question, known, answer))
      else {
        reader ??= createAnswerReader()
        const { text, choices, isSecret = false } = question
        const findMistake = (typed: string) => mistakeOf(question, { ...known, [question.name]: typed })
        const fallback = await question.fallback(known, readCurrency)
        const asked = { text, isSecret, fallback, findMistake, ...(choices && { choices }) }
        Object.assign(answers, { [question.name]: await reader.ask(asked) })
      }
    }
    return { ...draftAnswers, ...answers, data: options.data ?? draftAnswers.data, port }
  } finally {
    reader?.[Symbol.dispose]()
  }
}

/** Returns the variable that may hold the secret already. */
function variableOf({ name }: InitQuestion, { backOffice }: InitAnswers): string | undefined {
  if (name === 'secret' && backOffice !== 'sandbox') return secretSettings[backOffice].variable
  return name === 'store' ? STORE_VARIABLE : name === 'mail' ? MAIL_VARIABLE : undefined
}

function mistakeOf({ name, choices, paths }: InitQuestion, answers: InitAnswers): string | undefined {
  if (choices && !choices.includes(answers[name])) return `takes one of ${choices.join(', ')}`
  return findAnswerMistake(answers, paths(answers))
}

function checked(question: InitQuestion, known: InitAnswers, answer: string): Partial<InitAnswers> {
  const { name, flag } = question
  if (name === 'backOffice') parseChoiceOption('--back-office', answer, backOffices)
  const mistake = mistakeOf(question, { ...known, [name]: answer })
  if (mistake === undefined) return { [name]: answer }
  throw new UsageError(`${flag ? `--${flag}` : variableOf(question, known)}: ${mistake}. Nothing was written`)
}

async function requireFallback(
  question: InitQuestion,
  known: InitAnswers,
  readCurrency: CurrencyReader,
): Promise<string> {
  const fallback = await question.fallback(known, readCurrency)
  if (fallback !== undefined) return fallback
  const remedy = question.flag
    ? `Give --${question.flag}`
    : `Set the environment variable ${variableOf(question, known)}`
  throw new UsageError(`${question.text} has no default. ${remedy}. Nothing was written`)
}
