import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningSystem, type SystemOptions, startSystem } from '../../src/sandbox/start-system.ts'

export const SEEDED_AT = new Date('2026-03-02T12:00:00.000Z')

/** A folder for the systems of one test file. */
export async function createTempFolder(): Promise<{ directory: string; remove: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-sandbox-'))
  return { directory, remove: () => rm(directory, { recursive: true, force: true, maxRetries: 10 }) }
}

/** A system on free ports whose clock stands still. */
export function startTestSystem(
  options: Pick<SystemOptions, 'system' | 'directory'> & Partial<SystemOptions>,
): Promise<RunningSystem> {
  return startSystem({ accounts: ['demo'], now: () => SEEDED_AT, ...options })
}

export interface SystemRequest {
  account?: string
  token?: string
  method?: string
  body?: unknown
  headers?: Record<string, string>
}

/** One call as a merchant's own program would make it. */
export async function sendRequest(system: { address: string }, path: string, asked: SystemRequest = {}) {
  const { account = 'demo', token = 'sandbox', body, method = body === undefined ? 'GET' : 'POST', headers } = asked
  const response = await fetch(`${system.address}/${account}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
