import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningSystem, type SystemOptions, startSystem } from '../../src/sandbox/start-system.ts'

export const SEEDED_AT = new Date('2026-03-02T12:00:00.000Z')

/** Creates a folder for the systems of one test file. */
export async function createTempFolder(): Promise<{ directory: string; remove: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-sandbox-'))
  return { directory, remove: () => rm(directory, { recursive: true, force: true, maxRetries: 10 }) }
}

/** Starts a system on free ports, with a fixed clock. */
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

/** Sends a request as a client of the upstream protocol does. */
export async function sendRequest(system: { address: string }, path: string, request: SystemRequest = {}) {
  const { account = 'demo', token = 'sandbox', body, method = body === undefined ? 'GET' : 'POST', headers } = request
  const response = await fetch(`${system.address}/${account}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parseJson(text) }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
function parseJson(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
