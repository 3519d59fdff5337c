import { UsageError } from '../usage-error.ts'
import { MAIL_VARIABLE, STORE_VARIABLE, secretSettings } from './environment-variable-names.ts'
import { type InitAnswers, isGiven } from './init-answers.ts'

const QUOTES = ["'", '`', '"']

/** Lists the environment variables that the configuration file refers to: only these hold secrets. */
export function listSecretVariables({ backOffice, secret, store, mail }: InitAnswers): Record<string, string> {
  return {
    ...(backOffice !== 'sandbox' && { [secretSettings[backOffice].variable]: secret }),
    ...(store !== 'sqlite' && { [STORE_VARIABLE]: store }),
    ...(isGiven(mail) && { [MAIL_VARIABLE]: mail }),
  }
}

/** Renders variables for `--env-file`. */
export function renderEnvironmentFile(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoteValue(name, value)}`)
  return [
    '# Secrets of forecourt.yaml: readable by the account of the server only, and in no repository.',
    ...lines,
    '',
  ].join('\n')
}

/** Node's parser has no escapes in single quotes and backquotes; in double quotes it replaces \n. */
function quoteValue(name: string, value: string): string {
  const quote = QUOTES.find((one) => !value.includes(one) && !(one === '"' && value.includes('\\n')))
  if (quote) return `${quote}${value}${quote}`
  throw new UsageError(`The value of ${name} contains every kind of quote. Set this variable before starting instead`)
}
