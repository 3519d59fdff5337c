import { PING_EVENT_KIND } from '../../../src/contract/events/event-types.ts'
import { sendHttpRequest } from '../send-http-request.ts'
import { callCartOrdersAndInvoices } from './cart-order-and-invoice-calls.ts'
import { callCatalog } from './catalog-calls.ts'
import { causeEvents, toOverdue } from './event-causes.ts'
import { createExampleCaller, type RecordedExample } from './example-caller.ts'
import type { RunningDemo } from './running-demo.ts'
import { callShopperAccounts, signIn } from './shopper-account-calls.ts'
import { callWebhooks, subscribe } from './webhook-calls.ts'

export interface CollectedExamples {
  /** A call of each operation, by operationId. */
  operations: Map<string, RecordedExample>
  /** An event of each type. */
  events: Map<string, unknown>
}

/** Calls every operation of a running demo once, as its documentation shows it. */
export async function collectExamples(demo: RunningDemo): Promise<CollectedExamples> {
  const caller = createExampleCaller(demo)
  await callCatalog(caller)
  await callShopperAccounts(caller, demo)
  const shopper = await signIn(caller)
  const subscription = await subscribe(caller, demo.endpointUrl)
  const orderId = await callCartOrdersAndInvoices(caller, shopper)
  const caused = await causeEvents(demo, orderId)
  const events = new Map<string, unknown>(caused)
  await callWebhooks(caller, subscription)
  caller.recorded.set('health', { responses: { 200: (await sendHttpRequest(demo.address, '/health')).body } })
  events.set('invoice.overdue', toOverdue(caused.get('invoice.issued')!))
  events.set(PING_EVENT_KIND, demo.received.get(PING_EVENT_KIND))
  return { operations: caller.recorded, events }
}
