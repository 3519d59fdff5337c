import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A script in a process group of its own. */
export class RunningScript implements AsyncDisposable {
  readonly ended: Promise<number | null>
  output = ''
  readonly #child: ChildProcess

  constructor(command: readonly string[], options: { env: NodeJS.ProcessEnv; cwd?: string }) {
    const [file, ...args] = command
    this.#child = spawn(file!, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.on('data', (chunk) => {
        this.output += chunk
      })
    this.ended = once(this.#child, 'close').then(([code]) => code)
  }

  /** Resolves with the output when the script ends with exit code 0. */
  get succeeded(): Promise<string> {
    return this.ended.then((code) => {
      if (code !== 0) throw new Error(`the script ended with ${code}:\n${this.output}`)
      return this.output
    })
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Stops everything that the script has started. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isRunning) process.kill(-this.#child.pid!, 'SIGTERM')
    await this.ended
  }
}
