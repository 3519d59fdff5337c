import type { ConfigMistake } from '../config-error.ts'
import type { Environment } from './process-environment.ts'

/** The value of a file in which environment variables have replaced each `${NAME}`. */
export interface SubstitutedFile {
  value: unknown
  /** One mistake for each variable that is missing or ends with a line break. */
  mistakes: ConfigMistake[]
  /** Paths of texts with such a variable. */
  unresolvedPaths: ReadonlySet<string>
  /** Paths of texts that contain a variable. */
  variablePaths: ReadonlySet<string>
  /** The variables' names, by the paths of texts that are nothing but one `${NAME}`: the setting may be a number. */
  variableNames: ReadonlyMap<string, string>
}

/** Replaces `${NAME}` in any text by that environment variable, so that secrets need not be in the file. */
export function substituteVariables(file: unknown, env: Environment): SubstitutedFile {
  const mistakes = new Map<string, ConfigMistake>()
  const unresolvedPaths = new Set<string>()
  const variablePaths = new Set<string>()
  const variableNames = new Map<string, string>()

  function substitute(value: unknown, path: string): unknown {
    if (typeof value === 'string') return substituteInText(value, path)
    if (Array.isArray(value)) return value.map((entry, index) => substitute(entry, `${path}.${index}`))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, substitute(entry, path ? `${path}.${key}` : key)]),
    )
  }

  function addMistake(name: string, path: string, mistake: string, remedy: string): void {
    unresolvedPaths.add(path)
    if (!mistakes.has(name)) mistakes.set(name, { path, mistake, remedy })
  }

  function substituteInText(text: string, path: string): string {
    if (/\$\{(?![A-Za-z_]\w*\})/.test(text))
      addMistake(path, path, 'contains ${ without a valid variable name', NAME_REMEDY)
    // The login of a URL is percent-encoded, so that a password in the environment is not.
    const loginEnd = /^(postgres(ql)?|smtps?):\/\//.test(text) ? text.lastIndexOf('@') : 0
    return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (reference, name: string, index: number) => {
      variablePaths.add(path)
      if (reference === text) variableNames.set(path, name)
      const value = env[name]
      if (value === undefined)
        addMistake(name, path, `environment variable ${name} is not set`, `Set ${name} before starting`)
      else if (/[\r\n]$/.test(value))
        addMistake(name, path, `environment variable ${name} ends with a line break`, 'Set it without the line break')
      return index < loginEnd ? encodeURIComponent(value ?? '-') : (value ?? '-')
    })
  }

  return {
    value: substitute(file, ''),
    mistakes: [...mistakes.values()],
    unresolvedPaths,
    variablePaths,
    variableNames,
  }
}

const NAME_REMEDY = `A name consists of letters, digits and _, as in \${ERP_PASSWORD}. If a secret contains \${, put it into an environment variable`

/** Adds the variable's name, because the value to correct is not in the file. */
export const withVariableName = (mistake: ConfigMistake, name: string | undefined): ConfigMistake =>
  name === undefined ? mistake : { ...mistake, mistake: `${mistake.mistake} (from environment variable ${name})` }
