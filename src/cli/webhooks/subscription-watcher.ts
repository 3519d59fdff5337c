import { type ApiTarget, callWebhooksApi } from './webhooks-api-client.ts'

export interface SubscriptionWatcherParts {
  api: ApiTarget
  id: string
  tell(text: string): void
  everyMs?: number
}

export interface SubscriptionWatcher extends Disposable {
  /** Something was answered that may end the subscription: looks once more when the API has taken it in. */
  soon(): void
}

const EVERY_MS = 2_000
const SOON_MS = 500

/** Looks at a subscription while it is listened for, and tells when nothing comes any more, why, and how to go on. */
export function createSubscriptionWatcher({
  api,
  id,
  tell,
  everyMs = EVERY_MS,
}: SubscriptionWatcherParts): SubscriptionWatcher {
  let before = 'ACTIVE'

  async function look(): Promise<void> {
    const { status, body } = await callWebhooksApi(api, 'GET', `/${id}`)
    const now = status === 404 ? 'DELETED' : status === 200 ? String(body.status) : before
    if (now === before) return
    before = now
    tell(sentenceOf(now, String(body.disabled_reason), { api, id }))
  }

  // An API that starts anew answers later.
  const quietly = () => void look().catch(() => {})
  const timer = setInterval(quietly, everyMs)
  const once = new Set<NodeJS.Timeout>()
  return {
    soon: () => void once.add(setTimeout(quietly, SOON_MS)),
    [Symbol.dispose]() {
      clearInterval(timer)
      for (const each of once) clearTimeout(each)
    },
  }
}

const WHY: Readonly<Record<string, string>> = {
  GONE: 'GONE: it was answered 410',
  CONSECUTIVE_FAILURES: 'CONSECUTIVE_FAILURES: it has failed for days',
  MANUAL: 'MANUAL: somebody disabled it',
}

function sentenceOf(status: string, reason: string, { api, id }: Pick<SubscriptionWatcherParts, 'api' | 'id'>): string {
  const anew = 'end this with Ctrl-C and listen again'
  if (status === 'DELETED') return `Subscription ${id} was deleted: no more events come. To go on, ${anew}.`
  if (status !== 'DISABLED') return `Subscription ${id} is ${status} now.`
  const patch = `PATCH ${api.address}/v1/webhooks/${id} with {"status":"ACTIVE"}`
  return `Subscription ${id} is DISABLED (${WHY[reason] ?? reason}): no more events come. To go on, ${anew}, or ${patch}.`
}
