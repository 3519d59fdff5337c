import type { ConsolePage } from '../console-page.ts'
import {
  getOperatorTimeZone,
  MERCHANT_TIME_ZONE,
  parseTimeZone,
  TIME_ZONE_COOKIE,
  TIME_ZONE_COOKIE_SECONDS,
} from '../operator-time-zone.ts'
import { toLocalPath } from '../redirect.ts'

const PATH = '/time-zone'

/** Creates the page on which operators choose the time zone of all times that they see, and its form. An unknown zone counts as none. */
export const createTimeZonePages = (): ConsolePage[] => [
  {
    method: 'GET',
    path: PATH,
    role: 'support',
    async respond({ query }) {
      const { name, isChosen } = getOperatorTimeZone()
      const view = {
        to: toLocalPath(query.get('to')),
        chosen: isChosen ? (name ?? MERCHANT_TIME_ZONE) : '',
        merchantValue: MERCHANT_TIME_ZONE,
        zones: ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')],
      }
      return { template: 'time-zone', title: 'Time zone', view }
    },
  },
  {
    method: 'POST',
    path: PATH,
    role: 'support',
    async respond({ form }) {
      const choice = form.get('zone') ?? ''
      const zone = choice === MERCHANT_TIME_ZONE ? choice : parseTimeZone(choice)
      const cookie = {
        name: TIME_ZONE_COOKIE,
        value: zone ?? '',
        seconds: zone === null ? 0 : TIME_ZONE_COOKIE_SECONDS,
      }
      return { redirect: toLocalPath(form.get('to')), message: '', cookie }
    },
  },
]
