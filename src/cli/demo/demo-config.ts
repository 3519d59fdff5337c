import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { readDefaultConfig } from '../../config/conversion/default-config.ts'
import { createEmbeddedSystemsConfig, DEMO_LIVE_ACCOUNT } from '../embedded-systems.ts'

const DEMO_CURRENCY = 'JMD'
export const DEMO_NAME = 'Demo Auto Parts'
/** The merchant of the demo, as pages and messages name it. */
export const demoMerchant = {
  merchant: 'demo',
  name: DEMO_NAME,
  currency: DEMO_CURRENCY,
  timeZone: 'America/Jamaica',
} as const
/** What shoppers call the parts that the catalog names otherwise. */
export const demoSynonyms: readonly (readonly string[])[] = [
  ['rotor', 'brake rotor', 'brake disc'],
  ['headlight', 'headlamp'],
  ['tail light', 'tail lamp'],
  ['muffler', 'silencer'],
  ['anti-freeze', 'coolant'],
  ['strut', 'shock absorber'],
  ['sway bar link', 'stabiliser link'],
  ['motor oil', 'engine oil'],
  ['fan belt', 'serpentine belt', 'drive belt'],
  ['half shaft', 'cv axle', 'drive shaft'],
  ['o2 sensor', 'lambda sensor', 'oxygen sensor'],
  ['hub bearing', 'wheel bearing'],
  ['pollen filter', 'cabin filter'],
  ['side mirror', 'wing mirror', 'door mirror'],
  ['lug nut', 'wheel nut'],
]
/** The log of the demo, in its data directory. */
export const DEMO_LOG_FILE = 'forecourt.log'
/** Short, because somebody is waiting for events. */
const FEED_INTERVAL_MS = 1_000

/** Returns the demo's configuration: one merchant, a retailer of auto parts, with the embedded back office. */
export function createDemoConfig(firstPort: number, token: string): Config {
  const defaults = readDefaultConfig()
  return {
    ...defaults,
    log: { file: join(defaults.dataDirectory, DEMO_LOG_FILE), level: 'info' },
    mail: { url: 'log:', from: `${DEMO_NAME} <shop@demo.example>` },
    // The last one is for the shop, which listens there.
    webhooks: { ...defaults.webhooks, allow: ['127.0.0.1', 'localhost', defaults.listen.host] },
    feedIntervalMs: FEED_INTERVAL_MS,
    // The keys of the demo are sandbox keys.
    keylessMode: 'sandbox',
    merchants: [
      {
        ...demoMerchant,
        bands: { low: 5, hysteresis: 2 },
        mirror: { maxAgeMs: 60_000, synonyms: demoSynonyms },
        live: createEmbeddedSystemsConfig(firstPort, token)(DEMO_LIVE_ACCOUNT),
        sandbox: null,
      },
    ],
  }
}
