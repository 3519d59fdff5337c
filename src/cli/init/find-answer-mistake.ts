import { adapters } from '../../adapters.ts'
import { ConfigError } from '../../config/config-error.ts'
import { environment } from '../../config/environment/process-environment.ts'
import { parseConfigFile } from '../../config/parse-config-file.ts'
import { listSecretVariables } from './environment-file.ts'
import { draftAnswers, type InitAnswers } from './init-answers.ts'
import { renderConfigFile } from './render-config-file.ts'

/** Returns what `config check` would say of an answer; `undefined`: nothing. `paths`: the settings that the answer decides. */
export function findAnswerMistake(answers: Partial<InitAnswers>, paths: readonly string[]): string | undefined {
  const complete = { ...draftAnswers, ...answers }
  const env = { ...environment, ...listSecretVariables(complete) }
  try {
    parseConfigFile(renderConfigFile(complete), 'forecourt.yaml', adapters, env)
    return undefined
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const isDecided = (path: string) => paths.some((decided) => path === decided || path.startsWith(`${decided}.`))
    const found = error.mistakes.find(({ path }) => path === '' || isDecided(path))
    return found && `${found.mistake}. ${found.remedy}`
  }
}
