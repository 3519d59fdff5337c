import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { until } from './until.ts'

/** A demo is four processes, which a busy machine starts one after the other. */
const PATIENCE_MS = 240_000

const main = resolve(import.meta.dirname, '../../src/main.ts')

/** Compiled code is kept between the many short runs of a suite. */
export const commandEnv = { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(tmpdir(), 'forecourt-compiled') }

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
  said(pattern: RegExp): Promise<RegExpExecArray>
}

interface At {
  cwd: string
  env?: Record<string, string>
  /** A command that runs it: `['prlimit', '--nofile=48']`. */
  under?: readonly string[]
}

/** `forecourt …` as a process of its own, in a folder and with an environment of its own. */
export function startCommand(args: readonly string[], at: At): RunningCommand {
  const env = { ...commandEnv, FORECOURT_DATA: resolve(at.cwd, 'data'), ...at.env }
  const [command, ...rest] = [...(at.under ?? []), process.execPath, main, ...args]
  const child = spawn(command!, rest, { cwd: at.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  let over = false
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    over = true
    return { code, signal, out, err }
  })
  async function said(pattern: RegExp): Promise<RegExpExecArray> {
    const heard = () => {
      if (over) throw new Error(`it ended and said: ${out}${err}`)
      return pattern.test(out)
    }
    await until(`the command says ${pattern}`, heard, PATIENCE_MS)
    return pattern.exec(out)!
  }
  return { child, ended, said }
}

export const runCommand = (args: readonly string[], at: At) => startCommand(args, at).ended
