export interface ConfigMistake {
  /** The setting's path in the file: "merchants.acme.live.pricing.address". */
  path: string
  mistake: string
  remedy: string
  /** The line of the file, from 1. */
  line?: number
}

/** The error that lists every mistake of a configuration. */
export class ConfigError extends Error {
  readonly mistakes: ConfigMistake[]

  constructor(source: string, mistakes: ConfigMistake[]) {
    const count = `${mistakes.length} mistake${mistakes.length === 1 ? '' : 's'}`
    super(`${source} has ${count}:\n${mistakes.map(formatConfigMistake).join('\n')}`)
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

/** Formats a mistake, or a warning, as an indented line. */
export function formatConfigMistake({ path, mistake, remedy, line }: ConfigMistake): string {
  const where = [line && `line ${line}`, path].filter(Boolean).join(', ') || '(file)'
  return `  ${where}: ${mistake}. ${remedy}`
}
