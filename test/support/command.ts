import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { until } from './until.ts'

/** A demo has four processes, which a busy machine starts one after the other. */
const OUTPUT_TIMEOUT_MS = 240_000

const main = resolve(import.meta.dirname, '../../src/main.ts')

/** Nothing below node_modules is a symbolic link: not resolving the path of each module saves a tenth of the time of a start. */
export const fastStart = { NODE_PRESERVE_SYMLINKS: '1' }

/** Compiled modules are cached between the many short runs of a suite. */
export const commandEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(tmpdir(), 'forecourt-compiled'),
  ...fastStart,
}

export interface CommandResult {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

export interface RunningCommand {
  child: ChildProcess
  ended: Promise<CommandResult>
  /** Resolves when the command has printed this. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>
}

interface CommandLocation {
  cwd: string
  env?: Record<string, string>
  /** A command that runs the program: `['prlimit', '--nofile=48']`. */
  under?: readonly string[]
}

/** Starts `forecourt …` in its own process, with its own directory and environment. */
export function startCommand(args: readonly string[], location: CommandLocation): RunningCommand {
  const env = { ...commandEnv, FORECOURT_DATA: resolve(location.cwd, 'data'), ...location.env }
  const [command, ...rest] = [...(location.under ?? []), process.execPath, main, ...args]
  const child = spawn(command!, rest, { cwd: location.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  let hasEnded = false
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    hasEnded = true
    return { code, signal, out, err }
  })
  async function waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    const isPrinted = () => {
      if (hasEnded) throw new Error(`the command ended with the output: ${out}${err}`)
      return pattern.test(out)
    }
    await until(`the command prints ${pattern}`, isPrinted, OUTPUT_TIMEOUT_MS)
    return pattern.exec(out)!
  }
  return { child, ended, waitForOutput }
}

export const runCommand = (args: readonly string[], location: CommandLocation) => startCommand(args, location).ended
