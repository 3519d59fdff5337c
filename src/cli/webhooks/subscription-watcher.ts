import type { ApiTarget } from './api-target.ts'
import { callWebhooksApi } from './webhooks-api-client.ts'

export interface SubscriptionWatcherParts {
  api: ApiTarget
  id: string
  print(text: string): void
  intervalMs?: number
}

export interface SubscriptionWatcher extends Disposable {
  /** Checks once more, after a response that may disable the subscription has been recorded. */
  checkSoon(): void
}

const INTERVAL_MS = 2_000
const SOON_MS = 500

/** Polls a subscription, and prints when its status changes: no more events would arrive, and why. */
export function createSubscriptionWatcher(parts: SubscriptionWatcherParts): SubscriptionWatcher {
  const { api, id, print, intervalMs = INTERVAL_MS } = parts
  let lastStatus = 'ACTIVE'

  async function check(): Promise<void> {
    const response = await callWebhooksApi(api, 'GET', `/${id}`)
    const status =
      response.status === 404 ? 'DELETED' : response.status === 200 ? String(response.body.status) : lastStatus
    if (status === lastStatus) return
    lastStatus = status
    print(describeStatus(status, String(response.body.disabled_reason), parts))
  }

  // An API that restarts responds to a later check.
  const checkIgnoringErrors = () => void check().catch(() => {})
  const interval = setInterval(checkIgnoringErrors, intervalMs)
  const timeouts = new Set<NodeJS.Timeout>()
  return {
    checkSoon: () => void timeouts.add(setTimeout(checkIgnoringErrors, SOON_MS)),
    [Symbol.dispose]() {
      clearInterval(interval)
      for (const timeout of timeouts) clearTimeout(timeout)
    },
  }
}

const disabledReasons: Readonly<Record<string, string>> = {
  GONE: 'GONE: a response was 410',
  CONSECUTIVE_FAILURES: 'CONSECUTIVE_FAILURES: deliveries have failed for days',
  MANUAL: 'MANUAL: it was disabled by a request',
}

function describeStatus(status: string, reason: string, { api, id }: SubscriptionWatcherParts): string {
  const restart = 'press Ctrl-C and listen again'
  if (status === 'DELETED') return `Subscription ${id} was deleted: no more events arrive. To continue, ${restart}.`
  if (status !== 'DISABLED') return `Subscription ${id} is ${status} now.`
  const patch = `PATCH ${api.address}/v1/webhooks/${id} with {"status":"ACTIVE"}`
  return `Subscription ${id} is DISABLED (${disabledReasons[reason] ?? reason}): no more events arrive. To continue, ${restart}, or ${patch}.`
}
