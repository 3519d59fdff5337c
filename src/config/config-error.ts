export interface ConfigMistake {
  /** Where in the file: "merchants.acme.live.pricing.address". */
  path: string
  mistake: string
  remedy: string
}

/** Every mistake of a configuration at once. */
export class ConfigError extends Error {
  readonly mistakes: ConfigMistake[]

  constructor(source: string, mistakes: ConfigMistake[]) {
    const lines = mistakes.map(({ path, mistake, remedy }) => `  ${path || '(file)'}: ${mistake}. ${remedy}`)
    super(`${source} has ${mistakes.length} mistake${mistakes.length === 1 ? '' : 's'}:\n${lines.join('\n')}`)
    this.name = 'ConfigInvalid'
    this.mistakes = mistakes
  }
}
