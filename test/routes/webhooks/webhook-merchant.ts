import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { EventKind } from '../../../src/contract/webhook.ts'
import { transact } from '../../../src/storage/transact.ts'
import { appendEvent } from '../../../src/storage/webhooks/outbox.ts'
import type { Api, Reply } from '../../support/api.ts'

export interface WebhookMerchant {
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** A new subscription's answer. */
  subscribe(more?: object): Promise<Reply>
  /** Writes an event as it happens, and gives its id. Its own deliveries rest. */
  event(type: EventKind, id: string, at: number): Promise<string>
}

const MUCH_LATER = '2999-01-01T00:00:00.000Z'

let made = 0
/** That nobody has subscribed, and where nobody listens. */
export const newEndpoint = () => `http://127.0.0.1:9/hooks/${++made}`

/** By default acme's sandbox. */
export async function webhookMerchant(
  api: Api,
  who: { merchant?: string; mode?: 'live' | 'sandbox' } = {},
): Promise<WebhookMerchant> {
  const { merchant = 'acme', mode = 'sandbox' } = who
  const key = await api.key({ kind: 'secret', merchant, mode })
  const ask: WebhookMerchant['ask'] = (method, path, body, headers = {}) =>
    api.ask(path, { key, method, body, headers })
  return {
    ask,
    async subscribe(more = {}) {
      const wanted = { endpoint_url: newEndpoint(), event_types: ['*'], ...more }
      const reply = await ask('POST', '/v1/webhooks', wanted)
      expect(reply.status, reply.text).to.equal(201)
      return reply
    },
    event(type, id, at) {
      const family = type.slice(0, type.indexOf('.')) as 'order' | 'invoice' | 'product' | 'stock'
      const happening = { tenant_id: merchant, mode, type, resource: { type: family, id }, data: { id } }
      return transact(api.db, (transaction) => {
        return appendEvent(transaction, { ...happening, at: new Date(at).toISOString(), deliverAt: MUCH_LATER })
      })
    },
  }
}

/** Asks so often, a few at a time: PostgreSQL has few connections, for which nobody waits long. */
export async function repeatRequest(count: number, ask: () => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = []
  while (replies.length < count) {
    const few = Math.min(10, count - replies.length)
    replies.push(...(await Promise.all(Array.from({ length: few }, ask))))
  }
  return replies
}

export interface Received {
  headers: IncomingMessage['headers']
  body: Buffer
}

export interface Endpoint extends AsyncDisposable {
  url: string
  received: Received[]
  /** What it answers from now on; `null`: nothing. */
  answer(status: number | null): void
}

/** A receiver as a merchant has one. */
export async function startEndpoint(): Promise<Endpoint> {
  const received: Received[] = []
  let status: number | null = 204
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) })
      if (status !== null) response.writeHead(status, { location: '/elsewhere' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    answer(next) {
      status = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
