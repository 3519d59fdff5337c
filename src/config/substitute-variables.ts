import type { TSchema } from 'typebox'
import type { ConfigMistake } from './config-error.ts'
import { findSchemaErrors } from './config-schema.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A file's value with what the environment has in the place of each `${NAME}`. */
export interface SubstitutedFile {
  value: unknown
  /** Of each name that the environment does not have, or has with an end that nobody means. */
  mistakes: ConfigMistake[]
  /** Paths that such a name stands at. */
  lacking: ReadonlySet<string>
  /** Names by the paths of strings that are all one `${NAME}`: what was meant may be a number. */
  whole: ReadonlyMap<string, string>
}

/** Replaces `${NAME}` in any string by that environment variable, so that secrets need not stand in the file. */
export function substituteVariables(file: unknown, env: Environment): SubstitutedFile {
  const mistakes = new Map<string, ConfigMistake>()
  const lacking = new Set<string>()
  const whole = new Map<string, string>()

  function filled(value: unknown, path: string): unknown {
    if (typeof value === 'string') return filledText(value, path)
    if (Array.isArray(value)) return value.map((entry, at) => filled(entry, `${path}.${at}`))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, filled(entry, path ? `${path}.${key}` : key)]),
    )
  }

  function refuse(name: string, path: string, mistake: string, remedy: string): void {
    lacking.add(path)
    if (!mistakes.has(name)) mistakes.set(name, { path, mistake, remedy })
  }

  function filledText(text: string, path: string): string {
    if (/\$\{(?![A-Za-z_]\w*\})/.test(text)) refuse(path, path, 'has a ${ without the name of a variable', NAMING)
    // In an address, what stands before the host is percent-encoded: a password is given as it is.
    const login = /^(postgres(ql)?|smtps?):\/\//.test(text) ? text.lastIndexOf('@') : 0
    return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (all, name: string, at: number) => {
      if (all === text) whole.set(path, name)
      const found = env[name]
      if (found === undefined) refuse(name, path, `the environment has no ${name}`, `Set ${name} before starting`)
      else if (/[\r\n]$/.test(found)) refuse(name, path, `${name} of the environment ends a line`, UNENDED)
      return at < login ? encodeURIComponent(found ?? '-') : (found ?? '-')
    })
  }

  return { value: filled(file, ''), mistakes: [...mistakes.values()], lacking, whole }
}

const NAMING = `A name has letters, digits and _, as in \${ERP_PASSWORD}; a secret with \${ in it can be in the environment`
const UNENDED = 'Set it without the line break at its end'

/** What is to be corrected is not in the file. */
export const withVariableName = (one: ConfigMistake, name: string | undefined): ConfigMistake =>
  name === undefined ? one : { ...one, mistake: `${one.mistake} (it is ${name} of the environment)` }

/** Makes numbers, and true and false, of what the environment gave as text where the schema wants them: in the value itself, which stands at that path. */
export function coerceSubstituted(
  schema: TSchema,
  value: unknown,
  path: string,
  whole: SubstitutedFile['whole'],
): void {
  // As long as it helps: not all misfits are told at once.
  while (whole.size > 0 && findSchemaErrors(schema, value).filter(isMended).length > 0);

  function isMended({ keyword, instancePath }: ReturnType<typeof findSchemaErrors>[number]): boolean {
    const names = instancePath.split('/').slice(1)
    if (keyword !== 'type' || !whole.has([path, ...names].filter(Boolean).join('.'))) return false
    const last = names.pop()!
    // biome-ignore lint/suspicious/noExplicitAny: the schema has just found its way there
    const holder = names.reduce((of: any, name) => of[name], value)
    const meant = scalar(holder[last])
    if (meant === undefined) return false
    holder[last] = meant
    return true
  }
}

function scalar(text: unknown): number | boolean | undefined {
  // What has been made a number, and still does not fit, stays one.
  if (typeof text !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'number' || typeof value === 'boolean' ? value : undefined
  } catch {
    return undefined
  }
}
