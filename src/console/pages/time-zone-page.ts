import type { ConsolePage, TemplateResponse } from '../console-page.ts'
import { toLocalPath } from '../local-path.ts'
import {
  getOperatorTimeZone,
  MERCHANT_TIME_ZONE,
  parseTimeZone,
  TIME_ZONE_COOKIE,
  TIME_ZONE_COOKIE_SECONDS,
} from '../operator-time-zone.ts'
import { listTimeZoneRegions } from '../text/time-zone-names.ts'

const PATH = '/time-zone'

const MAX_SHOWN_LENGTH = 80

/** Creates the page on which operators choose the time zone of all times that they see, and its form. */
export const createTimeZonePages = (): ConsolePage[] => [
  {
    method: 'GET',
    path: PATH,
    role: 'support',
    respond: async ({ query }) => toTimeZonePage(query.get('to'), null),
  },
  {
    method: 'POST',
    path: PATH,
    role: 'support',
    async respond({ form }) {
      const choice = form.get('zone') ?? ''
      const zone = choice === MERCHANT_TIME_ZONE ? choice : parseTimeZone(choice)
      if (zone === null && choice !== '') return toTimeZonePage(form.get('to'), choice)
      const cookie = {
        name: TIME_ZONE_COOKIE,
        value: zone ?? '',
        seconds: zone === null ? 0 : TIME_ZONE_COOKIE_SECONDS,
      }
      return { redirect: toLocalPath(form.get('to')), message: '', cookie }
    },
  },
]

/** `unknown`: a choice that is no time zone, which changes nothing. */
function toTimeZonePage(to: string | null, unknown: string | null): TemplateResponse {
  const { name, isChosen } = getOperatorTimeZone()
  const view = {
    to: toLocalPath(to),
    unknown: unknown?.slice(0, MAX_SHOWN_LENGTH) ?? null,
    chosen: isChosen ? (name ?? MERCHANT_TIME_ZONE) : '',
    merchantValue: MERCHANT_TIME_ZONE,
    regions: listTimeZoneRegions(),
  }
  return { template: 'time-zone', title: 'Time zone', view, status: unknown === null ? 200 : 422 }
}
