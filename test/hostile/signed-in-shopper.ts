import { Agent } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { randomBase62 } from '../../src/security/base62.ts'
import { sha256Hex } from '../../src/security/sha256.ts'
import { type Reply, sendHttpRequest } from '../support/send-http-request.ts'
import type { ServerProcess } from './server-process.ts'

/** Customer C-1001 of acme's sandbox, with a secret key of the shop. */
export interface SignedInShopper {
  /** The secret key. */
  key: string
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Creates a cart with one line and returns its id. */
  createCart(line: object): Promise<string>
}

export async function createSignedInShopper(
  server: ServerProcess,
  store = join(server.directory, 'forecourt.db'),
): Promise<SignedInShopper> {
  const key = await server.issueKey('--kind', 'secret', '--mode', 'sandbox')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers: Record<string, string> = { authorization: `Bearer ${key}` }
  const ask: SignedInShopper['ask'] = (method, path, body, more) =>
    sendHttpRequest(server.address, path, { method, body, headers: { ...headers, ...more } }, agent)
  headers['x-storefront-shopper-token'] = insertSession(store)
  return {
    key,
    ask,
    async createCart(line) {
      const { body } = await ask('POST', '/v1/carts')
      await ask('POST', `/v1/carts/${body.cart_id}/lines`, line)
      return body.cart_id
    },
  }
}

/** Signs the customer in, and returns the shopper token. */
function insertSession(file: string): string {
  const token = randomBase62(43)
  using database = new DatabaseSync(file, { timeout: 5_000 })
  const columns = 'digest, tenant_id, mode, customer_id, created_at, expires_at'
  database
    .prepare(`insert into shopper_sessions (${columns}) values (?, 'acme', 'sandbox', 'C-1001', ?, ?)`)
    .run(sha256Hex(token), '2026-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z')
  return token
}
