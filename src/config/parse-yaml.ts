import { parseDocument, type YAMLError } from 'yaml'
import { ConfigError, type ConfigMistake } from './config-error.ts'

/** Parses a YAML text. Throws ConfigError for invalid YAML. */
export function parseYaml(text: string, source: string): unknown {
  const document = parseDocument(text, { merge: true })
  if (document.errors.length > 0) {
    // The first syntax error causes the ones after it; duplicate keys cause none.
    const firstSyntaxError = document.errors.findIndex(({ code }) => code !== 'DUPLICATE_KEY')
    const causes = firstSyntaxError === -1 ? document.errors : document.errors.slice(0, firstSyntaxError + 1)
    throw new ConfigError(
      source,
      causes.map((error) => toMistake(error, text)),
    )
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 1_000 })
    JSON.stringify(value)
    return value
  } catch (error) {
    // Aliases without an anchor, too many aliases and circular ones are found only here.
    const { message } = error as Error
    const mistake = message.startsWith('Converting circular') ? 'An alias is inside its own anchor' : message
    throw new ConfigError(source, [{ path: '', mistake, remedy: 'Correct the YAML' }])
  }
}

function toMistake({ code, message, linePos }: YAMLError, text: string): ConfigMistake {
  if (code === 'MULTIPLE_DOCS')
    return { path: '', mistake: 'There is more than one YAML document', remedy: 'Keep one, without --- after it' }
  const line = linePos && text.split('\n')[linePos[0].line - 1]
  // Without quotes, the { of ${NAME} begins a mapping inside of { } and [ ].
  const remedy = line?.includes('${') ? `Quote the environment variable: "\${NAME}"` : 'Correct the YAML there'
  return { path: '', mistake: message.split('\n')[0]!.replace(/:$/, ''), remedy }
}
