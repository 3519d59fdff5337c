import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { nodeFlags } from '../../src/operations/v8-memory-limit.ts'

const run = promisify(execFile)

/** A place in a shop, with its port, where servers of one release or another run. */
export class ReplaceableServer {
  readonly address: string
  readonly #port: number
  readonly #directory: string
  #child: ChildProcess | undefined

  constructor(port: number, directory: string) {
    this.#port = port
    this.#directory = directory
    this.address = `http://127.0.0.1:${port}`
  }

  /** Stops the server that runs here as a supervisor does, and starts one of a release. Resolves when it is ready. */
  async replace(main: string): Promise<void> {
    await this.stop()
    const log = join(this.#directory, `server-${this.#port}.log`)
    const output = openSync(log, 'a')
    const args = [...nodeFlags, main, 'serve', '--config', join(this.#directory, 'forecourt.yaml')]
    const env = { ...process.env, PORT: String(this.#port), FORECOURT_DATA: this.#directory }
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', output, output] })
    this.#child = child
    while (!(await this.isReady())) {
      if (child.exitCode !== null) throw new Error(readFileSync(log, 'utf8').slice(-2_000))
      await pause(50)
    }
  }

  async stop(): Promise<void> {
    if (!this.#child || this.#child.exitCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    const [code] = await exited
    if (code !== 0) throw new Error(`the server exited with ${code}`)
  }

  isReady(): Promise<boolean> {
    return fetch(`${this.address}/readyz`, { signal: AbortSignal.timeout(30_000) }).then(
      (reply) => reply.ok,
      () => false,
    )
  }
}

/** Runs a command of a release, and returns its exit code and what it printed. */
export async function runRelease(main: string, args: readonly string[], directory: string) {
  const env = { ...process.env, FORECOURT_DATA: directory }
  const file = join(directory, 'forecourt.yaml')
  const done = run(process.execPath, [main, ...args, '--config', file], { env })
  return done.then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => {
      if (error.stderr) throw new Error(error.stderr)
      return { code: error.code, out: error.stdout }
    },
  )
}
