import { createHash } from 'node:crypto'
import type { NotificationChannel } from '../notification-channel.ts'
import type { NotificationBlock } from '../schema/notification-schema.ts'

const DEFAULT_AFTER_S = 60
const ID_LENGTH = 16

export const toNotificationChannels = (file: readonly NotificationBlock[]): NotificationChannel[] =>
  file.map((channel) => ({
    // Processes with the same configuration agree on it, and it reveals no secret.
    id: createHash('sha256').update(JSON.stringify(channel)).digest('hex').slice(0, ID_LENGTH),
    target: channel.mail === undefined ? { kind: 'webhook', ...channel.webhook! } : { kind: 'mail', to: channel.mail },
    merchants: channel.merchants ?? null,
    systems: channel.systems ?? null,
    afterMs: (channel.after_seconds ?? DEFAULT_AFTER_S) * 1_000,
    quietHours: channel.quiet_hours
      ? { from: channel.quiet_hours.from, to: channel.quiet_hours.to, timeZone: channel.quiet_hours.time_zone }
      : null,
  }))
