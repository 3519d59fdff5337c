import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface WrkOptions {
  address: string
  /** With `%d`: a new path for every request. */
  path: string
  headers: Record<string, string>
  connections: number
  seconds: number
  /** Counts answers without `Forecourt-Complete: true`. */
  completeness?: boolean
}

/** Times in milliseconds. `bad`: status 400 and above; `broken`: no answer. */
export interface WrkResult {
  requests: number
  us: number
  bytes: number
  bad: number
  broken: number
  incomplete: number
  p50: number
  p99: number
  max: number
}

const run = promisify(execFile)

export function requireWrk(): void {
  if (spawnSync('wrk', ['-v']).error === undefined) return
  throw new Error(
    'The bench needs wrk. Install it with: apt-get install wrk (Debian, Ubuntu) or brew install wrk (macOS).',
  )
}

/** One closed-loop run: each connection asks again as soon as it has its answer. */
export async function runWrk(load: WrkOptions): Promise<WrkResult> {
  const script = fileURLToPath(new URL('summary.lua', import.meta.url))
  const args = ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '-s', script]
  for (const [name, value] of Object.entries(load.headers)) args.push('-H', `${name}: ${value}`)
  const { stdout } = await run(
    'wrk',
    [...args, load.address, '--', load.path, ...(load.completeness ? ['completeness'] : [])],
    {
      timeout: load.seconds * 1_000 + 20_000,
    },
  )
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1)) as WrkResult
}
