import type { EndpointRules } from './endpoint-rules.ts'
import type { Send } from './parcel.ts'

export interface Sender extends AsyncDisposable {
  send: Send
}

/** Sends signed events to endpoints. */
export function createSender(_of: { rules: EndpointRules; now: () => number }): Sender {
  return { send: () => Promise.reject(new Error('not built yet')), [Symbol.asyncDispose]: async () => {} }
}
