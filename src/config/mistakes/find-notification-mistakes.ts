import type { ConfigMistake } from '../config-error.ts'
import type { UncheckedConfigFile } from '../schema/unchecked-config-file.ts'
import { findTimeZoneMistakes } from './find-time-zone-mistakes.ts'

interface UncheckedNotification {
  mail?: unknown
  webhook?: unknown
  merchants?: unknown
  quiet_hours?: { time_zone?: unknown } | null
}

/** Finds channels without a target or with two, merchants that are not configured, and mail without a mail server. */
export function findNotificationMistakes(file: UncheckedConfigFile): ConfigMistake[] {
  const channels = (file as { notifications?: unknown } | null | undefined)?.notifications
  if (!Array.isArray(channels)) return []
  return channels.flatMap((channel: UncheckedNotification | null, index) => {
    const path = `notifications.${index}`
    if (typeof channel !== 'object' || channel === null) return []
    return [
      ...findTargetMistakes(channel, path, file),
      ...findMerchantMistakes(channel, path, file),
      ...findTimeZoneMistakes(`${path}.quiet_hours.time_zone`, channel.quiet_hours?.time_zone),
    ]
  })
}

function findTargetMistakes({ mail, webhook }: UncheckedNotification, path: string, file: UncheckedConfigFile) {
  if ((mail === undefined) === (webhook === undefined))
    return [{ path, mistake: 'needs one target', remedy: 'Give mail or webhook: a channel has one of them' }]
  if (mail !== undefined && file?.mail === undefined)
    return [{ path: `${path}.mail`, mistake: 'there is no mail server', remedy: 'Set mail, with url and from' }]
  return []
}

function findMerchantMistakes({ merchants }: UncheckedNotification, path: string, file: UncheckedConfigFile) {
  if (!Array.isArray(merchants)) return []
  const known = Object.keys(file?.merchants ?? {})
  return merchants.flatMap((merchant: unknown, index) =>
    typeof merchant !== 'string' || known.includes(merchant)
      ? []
      : [
          {
            path: `${path}.merchants.${index}`,
            mistake: `there is no merchant "${merchant}"`,
            remedy: `Give one of: ${known.join(', ')}`,
          },
        ],
  )
}
