import { type Document, LineCounter, parseDocument, type YAMLError } from 'yaml'
import { ConfigError, type ConfigMistake } from '../config-error.ts'
import { findDuplicateKey } from './find-duplicate-key.ts'
import { findYamlOffset } from './find-yaml-offset.ts'

export interface ParsedYaml {
  value: unknown
  /** Returns the position of a setting, or of the innermost existing group of settings around it. */
  positionOf(path: string): TextPosition
}

export interface TextPosition {
  offset: number
  /** From 1; `undefined`: nothing of the path is in the file. */
  line: number | undefined
}

/** Parses a YAML text. Throws ConfigError for invalid YAML. */
export function parseYaml(text: string, source: string): ParsedYaml {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { merge: true, lineCounter })
  if (document.errors.length > 0) {
    // The first syntax error causes the ones after it; duplicate keys cause none.
    const firstSyntaxError = document.errors.findIndex(({ code }) => code !== 'DUPLICATE_KEY')
    const causes = firstSyntaxError === -1 ? document.errors : document.errors.slice(0, firstSyntaxError + 1)
    throw new ConfigError(
      source,
      causes.map((error) =>
        error.code === 'DUPLICATE_KEY' ? describeDuplicate(document, error, lineCounter) : toMistake(error, text),
      ),
    )
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 1_000 })
    JSON.stringify(value)
    const positionOf = (path: string) => {
      const offset = findYamlOffset(document, path)
      return { offset, line: offset < 0 ? undefined : lineCounter.linePos(offset).line }
    }
    return { value, positionOf }
  } catch (error) {
    // Aliases without an anchor, too many aliases and circular ones are found only here.
    const { message } = error as Error
    const mistake = message.startsWith('Converting circular') ? 'An alias is inside its own anchor' : message
    throw new ConfigError(source, [{ path: '', mistake, remedy: 'Correct the YAML' }])
  }
}

function describeDuplicate(document: Document, { pos }: YAMLError, lineCounter: LineCounter): ConfigMistake {
  const { path, firstOffset } = findDuplicateKey(document, pos[0]) ?? { path: '', firstOffset: pos[0] }
  const [first, line] = [firstOffset, pos[0]].map((offset) => lineCounter.linePos(offset).line)
  return { path, line: line!, mistake: `is already set on line ${first}`, remedy: 'Remove one of the two' }
}

function toMistake({ code, message, linePos }: YAMLError, text: string): ConfigMistake {
  const line = linePos?.[0].line
  const where = { path: '', ...(line && { line }) }
  if (code === 'MULTIPLE_DOCS')
    return { ...where, mistake: 'there is more than one YAML document', remedy: 'Keep one, without --- after it' }
  // Without quotes, the { of ${NAME} begins a mapping inside of { } and [ ].
  const needsQuotes = line !== undefined && text.split('\n')[line - 1]?.includes('${')
  const remedy = needsQuotes ? `Quote the environment variable: "\${NAME}"` : 'Correct the YAML there'
  const words = message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '')
  return { ...where, mistake: `this is not valid YAML (${words})`, remedy }
}
