export interface ConfigMistake {
  /** The setting's path in the file: "merchants.acme.live.pricing.address". */
  path: string
  mistake: string
  remedy: string
}

/** The error that lists every mistake of a configuration. */
export class ConfigError extends Error {
  readonly mistakes: ConfigMistake[]

  constructor(source: string, mistakes: ConfigMistake[]) {
    const lines = mistakes.map(({ path, mistake, remedy }) => `  ${path || '(file)'}: ${mistake}. ${remedy}`)
    super(`${source} has ${mistakes.length} mistake${mistakes.length === 1 ? '' : 's'}:\n${lines.join('\n')}`)
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}
