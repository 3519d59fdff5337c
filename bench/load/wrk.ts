import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface WrkOptions {
  address: string
  /** `%d` is replaced by a counter, and `%100d` by one that begins again at 100. */
  path: string
  /** Where the counter begins; 0 by default. */
  from?: number
  headers: Record<string, string>
  connections: number
  seconds: number
  /** Counts responses without `Forecourt-Complete: true`. */
  countsIncomplete?: boolean
}

/** Latencies are in milliseconds. */
export interface WrkResult {
  requests: number
  durationUs: number
  bytes: number
  /** Responses with status 400 and above. */
  errorResponses: number
  /** Requests without a response. */
  socketErrors: number
  incomplete: number
  p50: number
  p99: number
  max: number
}

const run = promisify(execFile)

export function requireWrk(): void {
  if (spawnSync('wrk', ['-v']).error === undefined) return
  throw new Error(
    'The bench needs wrk. Install it with apt-get install wrk (Debian, Ubuntu) or brew install wrk (macOS).',
  )
}

/** Runs wrk: each connection sends its next request as soon as it has a response. */
export async function runWrk(options: WrkOptions): Promise<WrkResult> {
  const script = fileURLToPath(new URL('summary.lua', import.meta.url))
  const args = ['-t1', `-c${options.connections}`, `-d${options.seconds}s`, '-s', script]
  for (const [name, value] of Object.entries(options.headers)) args.push('-H', `${name}: ${value}`)
  const { stdout } = await run(
    'wrk',
    [
      ...[...args, options.address, '--', options.path, String(options.from ?? 0)],
      ...(options.countsIncomplete ? ['completeness'] : []),
    ],
    {
      timeout: options.seconds * 1_000 + 20_000,
    },
  )
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1)) as WrkResult
}
