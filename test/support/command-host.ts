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

/**
 * Runs commands one after the other in one process, as if each had its own: loading the program is most of the time of a short command.
 * Signals, standard input and the end of a process need a process of their own: `runCommand` and `startCommand` of command.ts.
 */
export function createCommandHost() {
  let child: ChildProcess | undefined
  let lastRun: Promise<unknown> = Promise.resolve()

  function send(job: CommandJob): Promise<CommandResult> {
    child ??= fork(join(import.meta.dirname, 'command-host-process.ts'), {
      env: commandEnv,
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    const host = child
    return new Promise<CommandResult>((resolveResult, reject) => {
      const onExit = () => reject(new Error(`the command host ended during: forecourt ${job.args.join(' ')}`))
      host.once('exit', onExit)
      host.once('message', (result) => {
        host.off('exit', onExit)
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
      child?.kill('SIGKILL')
      child = undefined
    },
  }
}
