import { readFileSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { parseEnv } from 'node:util'
import type { Environment } from './process-environment.ts'

/** The environment that this process was started with. */
const inherited: Environment = { ...process.env }
let loadedFile: string | null = null

/** Adds the variables of a file to the environment. Variables that are already set take precedence. */
export function loadEnvironmentFile(file: string): void {
  loadEnvFile(file)
  loadedFile = file
}

/**
 * Returns the environment as it would be if this process were started now: with what the loaded file contains by now. Variables that are gone are
 * `undefined`, so that a child process does not get them either.
 */
export function readEnvironmentAgain(): Environment {
  if (loadedFile === null) return inherited
  const gone = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]))
  return { ...gone, ...parseEnv(readFileSync(loadedFile, 'utf8')), ...inherited }
}
