import { expect } from 'chai'
import type { EventKind } from '../../../src/contract/events/event-types.ts'
import type { Database } from '../../../src/storage/database.ts'
import { transact } from '../../../src/storage/transact.ts'
import { appendEvent } from '../../../src/storage/webhooks/outbox.ts'
import type { Api, Reply } from '../../support/api.ts'
import { eventDataOf } from './event-data.ts'

/** An event, and its time in milliseconds since the epoch. */
type EventToAppend = [type: EventKind, id: string, at: number]

export interface WebhookMerchant {
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Creates a subscription, and returns the response. */
  subscribe(more?: object): Promise<Reply>
  /** Writes an event, and returns its id. Its deliveries are not sent. */
  event(...event: EventToAppend): Promise<string>
  /** Writes several events in one transaction, so that none is in a list without the others. */
  events<T extends EventToAppend[]>(...events: T): Promise<{ [N in keyof T]: string }>
}

const MUCH_LATER = '2999-01-01T00:00:00.000Z'

let made = 0
/** Returns a URL that has no subscription and no listener. */
export const newEndpoint = () => `http://127.0.0.1:9/hooks/${++made}`

/** The default is acme's sandbox. */
export async function webhookMerchant(
  api: Api,
  caller: { merchant?: string; mode?: 'live' | 'sandbox' } = {},
): Promise<WebhookMerchant> {
  const { merchant = 'acme', mode = 'sandbox' } = caller
  const key = await api.key({ kind: 'secret', merchant, mode })
  const ask: WebhookMerchant['ask'] = (method, path, body, headers = {}) =>
    api.request(path, { key, method, body, headers })
  async function append(transaction: Database, [type, id, at]: EventToAppend): Promise<string> {
    const family = type.slice(0, type.indexOf('.')) as 'order' | 'invoice' | 'product' | 'stock'
    const event = { merchant, mode, type, resource: { type: family, id }, data: eventDataOf(type, id) }
    const eventId = await appendEvent(transaction, { ...event, at: new Date(at).toISOString() })
    await transaction.updateTable('deliveries').set({ due_at: MUCH_LATER }).where('event_id', '=', eventId).execute()
    return eventId
  }
  return {
    ask,
    async subscribe(more = {}) {
      const input = { endpoint_url: newEndpoint(), event_types: ['*'], ...more }
      const reply = await ask('POST', '/v1/webhooks', input)
      expect(reply.status, reply.text).to.equal(201)
      return reply
    },
    event: (...event) => transact(api.db, (transaction) => append(transaction, event)),
    events: <T extends EventToAppend[]>(...events: T) =>
      transact(api.db, async (transaction) => {
        const ids: string[] = []
        for (const event of events) ids.push(await append(transaction, event))
        return ids as { [N in keyof T]: string }
      }),
  }
}
