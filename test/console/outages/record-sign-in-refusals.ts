import type { OutageConsole } from './outage-console.ts'

/** A shopper has tried to sign in with too many wrong passwords. */
export async function recordSignInRefusals({ clock, record }: OutageConsole, name: string, count: number) {
  const at = clock.ms
  const request = { route: 'logInShopper', method: 'POST', url: '/v1/shoppers/login', status: 429, ms: 30 }
  const refusals = Array.from({ length: count }, (_, index) => ({
    ...{ ...request, requestId: `by-${name}-${at + index}`, code: 'rate_limited', sections: undefined },
    reachedLimit: { name, retryAfterSeconds: 600 - index },
  }))
  await record(refusals)
  return refusals.map(({ requestId }) => requestId)
}
