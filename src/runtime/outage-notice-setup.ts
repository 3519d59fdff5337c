import { createMerchantDirectory } from '../console/merchant-directory.ts'
import { describeSection, describeSystemEffect } from '../console/text/section-text.ts'
import { STORE_OUTAGE_EFFECT } from '../console/text/store-outage-text.ts'
import { createMailSender } from '../operations/mail-sender.ts'
import type { NoticeTexts } from '../operations/notices/notice-message.ts'
import { type SendNotice, startOutageNotifier } from '../operations/notices/outage-notifier.ts'
import { isDelivered } from '../webhooks/delivery-attempt-types.ts'
import type { BackgroundJobsParts } from './background-jobs.ts'
import { logJobErrors } from './log-job-errors.ts'

/** Notifies the channels of the configuration of outages, by mail and webhook. `null`: there are no channels. */
export function startOutageNotices(parts: BackgroundJobsParts): AsyncDisposable | null {
  const { config, db, observability, now } = parts
  const ids = config.merchants.map(({ merchant }) => merchant)
  // Several Forecourts may share a store, and each reports only its own merchants.
  const channels = (config.notifications ?? []).map((channel) => ({ ...channel, merchants: channel.merchants ?? ids }))
  if (channels.length === 0) return null
  const stack = new AsyncDisposableStack()
  // Its own connections: emails to shoppers do not wait for these, nor these for those.
  const mails = stack.use(createMailSender(config.mail ?? null, observability.logger))
  const onError = logJobErrors(observability.logger, 'outages could not be notified; this will be retried', now)
  const send = createSend(parts, mails.deliver)
  stack.use(startOutageNotifier({ db, channels, texts: createTexts(parts), send, onError, now }))
  return stack
}

function createSend(
  { api, now }: BackgroundJobsParts,
  deliver: ReturnType<typeof createMailSender>['deliver'],
): SendNotice {
  return async ({ target }, { type, subject, text, data }, { notice, attempt }) => {
    if (target.kind === 'mail') return deliver({ from: undefined, to: target.to, subject, text: `${text}\n` })
    const body = Buffer.from(
      // Chat tools show the member `text`.
      JSON.stringify({ type, timestamp: new Date(now()).toISOString(), text: `${subject}\n${text}`, data }),
    )
    const ids = { deliveryId: notice, eventId: notice, type, mode: 'live', attempt } as const
    const result = await api.commerce.sendWebhook({ ...ids, url: target.url, body, secrets: [target.secret] })
    return isDelivered(result) ? null : (result.error ?? `HTTP ${result.responseStatus}`)
  }
}

function createTexts({ config, now }: BackgroundJobsParts): NoticeTexts {
  const merchants = createMerchantDirectory(config.merchants, now, config.operations?.contact)
  return {
    merchantName: merchants.name,
    sectionName: (system, section) => describeSection(system, section).name,
    effect: (system) => (system === 'store' ? STORE_OUTAGE_EFFECT : describeSystemEffect(system)),
    contact: (merchant, system) =>
      merchant === null ? merchants.forecourtContact : merchants.contact({ merchant, mode: 'live' }, system),
    time: (at, merchant) => merchants.time(at, merchant).text,
    pagesUrl: config.operations?.url?.replace(/\/+$/, '') ?? null,
  }
}
