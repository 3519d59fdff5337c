import type { Insertable } from 'kysely'
import type { DeliveryAttempt } from '../../src/contract/events/webhook-delivery.ts'
import type { Database } from '../../src/storage/database.ts'
import { createSecretCipher } from '../../src/storage/keys/secret-encryption.ts'
import type { Tables } from '../../src/storage/tables.ts'
import { transact } from '../../src/storage/transact.ts'
import { appendEvent, type NewEvent } from '../../src/storage/webhooks/outbox.ts'
import type { AttemptResult, WebhookRequest } from '../../src/webhooks/delivery-attempt-types.ts'
import {
  createWebhookDispatcher,
  type WebhookDispatcher,
  type WebhookDispatcherParts,
} from '../../src/webhooks/dispatcher.ts'
import type { EndpointStatusChange } from '../../src/webhooks/record-delivery-results.ts'
import { SECRET } from './webhook-request-fixture.ts'

export type FakeResponse = Partial<Omit<AttemptResult, 'at'>> | number

/** A store with subscriptions and events, a clock that the test sets, and endpoints that respond as the test says. */
export function createDeliveryFixture(db: Database) {
  const vault = createSecretCipher([Buffer.alloc(32, 7)])
  const dispatchers: WebhookDispatcher[] = []
  const fixture = {
    db,
    vault,
    clock: Date.parse('2026-01-01T00:00:00.000Z'),
    sent: [] as WebhookRequest[],
    changes: [] as EndpointStatusChange[],
    errors: [] as unknown[],
    answer: (_parcel: WebhookRequest): FakeResponse | Promise<FakeResponse> => 200,
    at: (ms = 0) => new Date(fixture.clock + ms).toISOString(),
    advance(ms: number) {
      fixture.clock += ms
    },

    dispatcher(parts: Partial<WebhookDispatcherParts> = {}): WebhookDispatcher {
      const send = async (request: WebhookRequest): Promise<AttemptResult> => {
        fixture.sent.push(request)
        const at = fixture.at()
        const result = await fixture.answer(request)
        const answer = typeof result === 'number' ? { responseStatus: result } : result
        return { at, durationMs: 5, responseStatus: null, error: null, excerpt: null, retryAfterMs: null, ...answer }
      }
      const made = createWebhookDispatcher({
        db,
        secretCipher: vault,
        send,
        now: () => fixture.clock,
        random: () => 0.5,
        intervalMs: null,
        onStatusChange: (change) => fixture.changes.push(change),
        onError: (error) => fixture.errors.push(error),
        ...parts,
      })
      dispatchers.push(made)
      return made
    },

    async subscribe(name: string, change: Partial<Insertable<Tables['subscriptions']>> = {}): Promise<string> {
      const subscription_id = `whk_${name}`
      const row: Insertable<Tables['subscriptions']> = {
        subscription_id,
        tenant_id: 'acme',
        mode: 'sandbox',
        endpoint_url: `https://${name}.test/`,
        event_types: '["*"]',
        description: null,
        status: 'ACTIVE',
        disabled_reason: null,
        disabled_at: null,
        secret: vault.encrypt(SECRET, `subscription ${subscription_id}`),
        secret_hint: 'AAA=',
        previous_secret: null,
        previous_secret_expires_at: null,
        consecutive_failures: 0,
        exhausted: 0,
        failing_since: null,
        last_delivery_at: null,
        last_success_at: null,
        created_at: fixture.at(),
        updated_at: fixture.at(),
        ...change,
      }
      await db.insertInto('subscriptions').values(row).execute()
      return subscription_id
    },
    /** `deliverAt`: when its deliveries are due. */
    addEvent({ deliverAt, ...change }: Partial<NewEvent> & { deliverAt?: string } = {}): Promise<string> {
      const resource = { type: 'order' as const, id: 'ord_1' }
      const what = { merchant: 'acme', mode: 'sandbox' as const, type: 'order.confirmed' as const, resource, data: {} }
      return transact(db, async (transaction) => {
        const event_id = await appendEvent(transaction, { ...what, at: fixture.at(), ...change })
        const due = transaction.updateTable('deliveries').set({ due_at: deliverAt ?? change.at ?? fixture.at() })
        await due.where('event_id', '=', event_id).execute()
        return event_id
      })
    },
    deliveries: () => db.selectFrom('deliveries').selectAll().orderBy('created_at').orderBy('delivery_id').execute(),
    async statuses() {
      const rows = await fixture.deliveries()
      return rows.map(({ status }) => status)
    },
    async log(): Promise<DeliveryAttempt[]> {
      return JSON.parse((await fixture.deliveries())[0]!.log) as DeliveryAttempt[]
    },
    subscription: (id: string) =>
      db.selectFrom('subscriptions').selectAll().where('subscription_id', '=', id).executeTakeFirstOrThrow(),
    async end() {
      for (const dispatcher of dispatchers.splice(0)) await dispatcher[Symbol.asyncDispose]()
    },
  }
  return fixture
}

export type DeliveryFixture = ReturnType<typeof createDeliveryFixture>
