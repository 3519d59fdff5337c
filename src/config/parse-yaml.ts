import { parseDocument, type YAMLError } from 'yaml'
import { ConfigError, type ConfigMistake } from './config-error.ts'

/** The value that a YAML text stands for. Throws ConfigInvalid for what is none. */
export function parseYaml(text: string, source: string): unknown {
  const document = parseDocument(text, { merge: true })
  if (document.errors.length > 0) {
    // One bracket amiss makes many errors after it.
    const broken = document.errors.findIndex(({ code }) => code !== 'DUPLICATE_KEY')
    const own = broken === -1 ? document.errors : document.errors.slice(0, broken + 1)
    throw new ConfigError(
      source,
      own.map((error) => mistakeOf(error, text)),
    )
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 1_000 })
    JSON.stringify(value)
    return value
  } catch (error) {
    // An alias that names no anchor, too many of them, or one inside of what it names, shows only here.
    const said = (error as Error).message
    const mistake = said.startsWith('Converting circular') ? 'An alias stands inside of what it names' : said
    throw new ConfigError(source, [{ path: '', mistake, remedy: 'Mend the YAML' }])
  }
}

function mistakeOf({ code, message, linePos }: YAMLError, text: string): ConfigMistake {
  const line = linePos && text.split('\n')[linePos[0].line - 1]
  // In { } and [ ] a brace of its own begins.
  const remedy = line?.includes('${')
    ? `Put what is in the environment in quotes there: "\${NAME}"`
    : 'Mend the YAML there'
  if (code === 'MULTIPLE_DOCS')
    return { path: '', mistake: 'There is more than one YAML document', remedy: 'Keep one, without --- after it' }
  return { path: '', mistake: message.split('\n')[0]!.replace(/:$/, ''), remedy }
}
