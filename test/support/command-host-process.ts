import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CommandResult } from './command.ts'
import type { CommandJob } from './command-host.ts'

// The process that command-host.ts starts.

const main = pathToFileURL(resolve(import.meta.dirname, '../../src/main.ts')).href
const { setTimeout: originalSetTimeout } = globalThis
let runs = 0

/** Thrown in place of the end of the process. */
class ProcessExit extends Error {}

async function runInThisProcess({ args, cwd, env }: CommandJob): Promise<CommandResult> {
  const output = { out: '', err: '' }
  let code: number | undefined
  const captureInto = (stream: 'out' | 'err') => (text: string | Uint8Array) => {
    if (code === undefined) output[stream] += typeof text === 'string' ? text : Buffer.from(text).toString()
    return true
  }
  process.stdout.write = captureInto('out')
  process.stderr.write = captureInto('err')
  process.exit = ((exitCode?: number) => {
    code ??= Number(exitCode ?? process.exitCode ?? 0)
    throw new ProcessExit()
  }) as typeof process.exit
  const timers: NodeJS.Timeout[] = []
  globalThis.setTimeout = Object.assign((...parameters: Parameters<typeof originalSetTimeout>) => {
    const timer = originalSetTimeout(...parameters)
    timers.push(timer)
    return timer
  }, originalSetTimeout) as typeof originalSetTimeout

  process.chdir(cwd)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv = [process.argv[0]!, main, ...args]
  process.exitCode = undefined
  // The module runs the command while it is loaded; the query makes each import a new module.
  await import(`${main}?run=${runs++}`).catch((error: unknown) => {
    if (!(error instanceof ProcessExit)) output.err += String(error)
  })
  code ??= Number(process.exitCode ?? 0)

  process.exitCode = undefined
  for (const timer of timers) clearTimeout(timer)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal)
  return { code, signal: null, ...output }
}

let isBusy = false
process.on('message', async (job: CommandJob) => {
  isBusy = true
  const result = await runInThisProcess(job)
  isBusy = false
  process.send!(result)
})
// Between two commands, an error comes from work that would have ended with the first command's process.
process.on('uncaughtException', () => {
  if (isBusy) process.kill(process.pid, 'SIGKILL')
})
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
