import { type ChildProcess, fork } from 'node:child_process'
import { join, resolve } from 'node:path'
import { type CommandResult, commandEnv } from './command.ts'

export interface CommandJob {
  args: readonly string[]
  cwd: string
  env: Record<string, string | undefined>
}

type At = { cwd: string; env?: Record<string, string> }

/**
 * Runs commands one after the other in one process, as if each had its own: loading the program takes most of the time of a short one.
 * What a process does at its end, at signals and with standard input shows only in one of its own: `run` and `start` of command.ts.
 */
export function createCommandHost() {
  let child: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()

  function done(job: CommandJob): Promise<CommandResult> {
    child ??= fork(join(import.meta.dirname, 'command-host-process.ts'), {
      env: commandEnv,
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    const host = child
    return new Promise<CommandResult>((answered, failed) => {
      const died = () => failed(new Error(`the process of the commands ended at: forecourt ${job.args.join(' ')}`))
      host.once('exit', died)
      host.once('message', (ran) => {
        host.off('exit', died)
        answered(ran as CommandResult)
      })
      host.send(job)
    })
  }

  return {
    run(args: readonly string[], at: At): Promise<CommandResult> {
      const env = { ...commandEnv, FORECOURT_DATA: resolve(at.cwd, 'data'), ...at.env }
      const ran = last.then(() => done({ args, cwd: at.cwd, env }))
      last = ran.catch(() => {})
      return ran
    },
    stop() {
      child?.kill('SIGKILL')
      child = undefined
    },
  }
}
