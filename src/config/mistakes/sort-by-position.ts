import type { ConfigMistake } from '../config-error.ts'
import type { ParsedYaml } from '../yaml/parse-yaml.ts'

/** Adds the lines of mistakes, and puts them in the order of the file. */
export const sortByPosition = (
  mistakes: readonly ConfigMistake[],
  positionOf: ParsedYaml['positionOf'],
): ConfigMistake[] =>
  mistakes
    .map((mistake) => ({ mistake, position: positionOf(mistake.path) }))
    .sort((a, b) => a.position.offset - b.position.offset)
    .map(({ mistake, position }) => ({ ...mistake, ...(position.line && { line: position.line }) }))
