import type { FailingChannel } from '../../../storage/diagnostics/outage-notices.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'

/** A channel whose latest message was not sent. */
export interface FailingChannelView {
  name: string
  text: string
}

export function toFailingChannelView(
  { channel, target, system, began_at, failure, next_at }: FailingChannel,
  merchants: MerchantDirectory,
): FailingChannelView {
  const toTime = (at: string) => merchants.time(at, null).text
  const next = next_at ? `It is sent again at ${toTime(next_at)}.` : 'It is not sent again.'
  return {
    name: `${channel} (${target})`,
    text: `The message about the outage of ${system} that began at ${toTime(began_at)} could not be sent: ${failure}. ${next}`,
  }
}
