import type { SupportContact } from '../../config/support-contact.ts'
import type { OutageNoticeRow } from '../../storage/diagnostics/outage-notices.ts'
import type { OngoingOutage } from './ongoing-outages.ts'

/** What messages say that is not in the store. */
export interface NoticeTexts {
  merchantName(merchant: string): string
  sectionName(system: string, section: string): string
  effect(system: string): string
  /** Returns whom to call; `null` as the merchant: about Forecourt itself. */
  contact(merchant: string | null, system: string): SupportContact | null
  /** Formats a time for people. */
  time(at: string, merchant: string | null): string
  /** The URL of the operations pages; `null`: not configured. */
  pagesUrl: string | null
}

export interface NoticeMessage {
  type: 'outage.began' | 'outage.ended'
  subject: string
  text: string
  data: object
}

/** Composes the message that is due. It has no addresses of shoppers, no counts of stock and no text of a system. */
export function composeNotice(row: OutageNoticeRow, texts: NoticeTexts): NoticeMessage {
  const { merchants, incidentId, system } = JSON.parse(row.document) as OngoingOutage
  const isOver = row.state === 'ended_due'
  const names = merchants.map(({ merchant }) => texts.merchantName(merchant)).join(', ')
  const firstMerchant = merchants[0]?.merchant || null
  const url = texts.pagesUrl && `${texts.pagesUrl}/incidents/${incidentId}`
  const contact = texts.contact(firstMerchant, system)
  const began = texts.time(row.began_at, firstMerchant)
  const lines = [
    isOver
      ? `The outage began at ${began} and ended at ${texts.time(row.ended_at!, firstMerchant)}.`
      : `The outage began at ${began}.`,
    ...merchants.map(({ merchant, sections }) => {
      const sectionNames = sections.map((section) => texts.sectionName(system === 'store' ? '' : system, section))
      return `${texts.merchantName(merchant)}: ${sectionNames.join(', ')}`
    }),
    ...(isOver ? [] : [texts.effect(system)]),
    ...(contact && !isOver
      ? [`Whom to call: ${[contact.name, contact.phone, contact.url].filter(Boolean).join(', ')}`]
      : []),
    ...(url ? [url] : []),
  ]
  return {
    type: isOver ? 'outage.ended' : 'outage.began',
    subject: `${isOver ? 'Outage over' : 'Outage'}: ${system} of ${names}`,
    text: lines.join('\n\n'),
    data: {
      outage_id: row.notice_id,
      system,
      began_at: row.began_at,
      ended_at: isOver ? row.ended_at : null,
      merchants: merchants.map(({ merchant, sections }) => ({ merchant: merchant || null, sections })),
      incident_id: incidentId,
      url,
    },
  }
}
