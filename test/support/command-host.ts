import { type ChildProcess, fork } from 'node:child_process'
import { join, resolve } from 'node:path'
import { type CommandResult, commandEnv } from './command.ts'

export interface CommandJob {
  args: readonly string[]
  cwd: string
  env: Record<string, string | undefined>
}

interface CommandLocation {
  cwd: string
  env?: Record<string, string>
}

/** A process that one test file has finished with, for the next file of this mocha worker. It ends with the worker. */
let spare: ChildProcess | undefined

function startHost(): ChildProcess {
  const child = spare
  spare = undefined
  if (child?.connected) return child
  return fork(join(import.meta.dirname, 'command-host-process.ts'), {
    env: commandEnv,
    stdio: ['ignore', 2, 2, 'ipc'],
  })
}

/**
 * Runs commands one after the other in one process, as if each had its own: loading the program is most of the time of a short command.
 * Signals, standard input and the end of a process need a process of their own: `runCommand` and `startCommand` of command.ts.
 */
export function createCommandHost() {
  let child: ChildProcess | undefined
  let isBusy = false
  let lastRun: Promise<unknown> = Promise.resolve()

  function send(job: CommandJob): Promise<CommandResult> {
    child ??= startHost()
    const host = child
    isBusy = true
    return new Promise<CommandResult>((resolveResult, reject) => {
      const onExit = () => reject(new Error(`the command host ended during: forecourt ${job.args.join(' ')}`))
      host.once('exit', onExit)
      host.once('message', (result) => {
        host.off('exit', onExit)
        isBusy = false
        resolveResult(result as CommandResult)
      })
      host.send(job)
    })
  }

  return {
    run(args: readonly string[], { cwd, env }: CommandLocation): Promise<CommandResult> {
      const commandEnvironment = { ...commandEnv, FORECOURT_DATA: resolve(cwd, 'data'), ...env }
      const result = lastRun.then(() => send({ args, cwd, env: commandEnvironment }))
      lastRun = result.catch(() => {})
      return result
    },
    stop() {
      if (isBusy || spare) child?.kill('SIGKILL')
      else spare = child
      child = undefined
    },
  }
}
