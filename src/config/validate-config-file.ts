import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import type { Adapter } from '../ports/adapter.ts'
import { type PortName, portNames } from '../ports/system.ts'
import type { ConfigMistake } from './config-error.ts'
import { ConfigFile, DEFAULT_DEADLINE_MS, findSchemaErrors, SystemFile } from './config-schema.ts'
import { findStoreAddressMistake } from './store-address.ts'
import { coerceSubstituted, type SubstitutedFile } from './substitute-variables.ts'

/** All that is wrong with the value of a configuration file, in its shape and what it speaks of. Numbers among its `whole` become numbers. */
export function validateConfigFile(
  { value, whole }: Pick<SubstitutedFile, 'value' | 'whole'>,
  adapters: AdapterRegistry,
): ConfigMistake[] {
  coerceSubstituted(ConfigFile, value, '', whole)
  const file = value as Unjudged
  for (const { of, system, place } of systemsIn(file)) {
    if (system === 'fitment') coerceSubstituted(SystemFile, of, place, whole)
    coerceSubstituted((isNamed(of) && adapterOf(of, adapters)?.settings) || {}, of, place, whole)
  }
  return [...misfits(ConfigFile, value, ''), ...deeper(file, adapters)]
}

export type AdapterRegistry = Readonly<Record<string, Adapter>>
const misfits = (schema: TSchema, value: unknown, prefix: string): ConfigMistake[] =>
  findSchemaErrors(schema, value).map((error) => mistakeOf(error, prefix))

/** What to write instead, by the last name of the path. */
const remedies: Readonly<Record<string, string>> = {
  currency: 'Give an ISO 4217 code such as JMD',
  address: 'Give http:// or https:// with a host, without ? and #; a login goes into the adapter’s settings',
  store: 'Give sqlite: and a path, or postgres://user:password@host:5432/database',
  url: 'Give smtp:// or smtps:// with a host, or log: to write letters to the log',
  from: 'Give one address, as in Parts Shop <orders@shop.example>',
  verify_url: 'Give the https:// page that takes the token of a letter',
  reset_url: 'Give the https:// page that takes the token of a letter',
  key: 'Give 32 random bytes in base64, as npx forecourt webhooks key prints them',
  previous_keys: 'Give keys as webhooks.key is one',
  allow: 'Give a host, or a host and a port, as in localhost or 10.1.2.3:9000; no pattern and no range',
  ports: 'Give ports from 1 to 65535',
  public_url: 'Give http:// or https:// with a host, as shoppers’ browsers reach the API, without ? and #',
  max_mib: 'Give a whole number of MiB',
  token: 'Give the token as the system expects it',
  hook_secret: 'Give 16 to 256 characters that only the back office knows',
  merchants: 'A merchant id is 1 to 63 of a-z, 0-9, - and _, and there is at least one',
}

/** What a text is not that has another shape, by the same name: few can read a pattern. */
const shapes: Readonly<Record<string, string>> = {
  currency: 'is not a currency',
  store: 'is not the address of a store',
  from: 'is not a mail address',
  key: 'is not a key',
  previous_keys: 'is not a key',
  allow: 'is not a host',
  token: 'has characters that no header can carry, or none',
  ...Object.fromEntries(
    ['address', 'url', 'verify_url', 'reset_url', 'public_url'].map((name) => [name, 'is not a usable URL']),
  ),
}

function mistakeOf(error: TLocalizedValidationError, prefix: string): ConfigMistake {
  const path = [prefix, ...error.instancePath.split('/').slice(1)].filter(Boolean).join('.')
  // An entry of a list is known by the list.
  const name = path
    .replace(/(\.\d+)+$/, '')
    .split('.')
    .at(-1)!
  const params = error.params as {
    additionalProperties?: string[]
    requiredProperties?: string[]
    allowedValues?: unknown[]
  }
  if (params.additionalProperties?.length) {
    const mistake = `does not know ${params.additionalProperties.join(', ')}`
    return { path, mistake, remedy: remedies[name] ?? 'Check the spelling, or remove it' }
  }
  if (params.requiredProperties)
    return { path, mistake: `lacks ${params.requiredProperties.join(', ')}`, remedy: 'Add it' }
  if (params.allowedValues)
    return { path, mistake: error.message, remedy: `Use one of ${params.allowedValues.join(', ')}` }
  const remedy =
    path === '' ? 'A configuration is a YAML mapping with merchants in it' : (remedies[name] ?? 'Correct the value')
  const shape = error.keyword === 'pattern' ? shapes[name] : undefined
  return { path, mistake: shape ?? error.message, remedy }
}

const modes = ['live', 'sandbox'] as const

/** A file whose shape may be wrong anywhere. */
type At = { host?: unknown; port?: unknown } | null
type Unjudged = {
  deadline_ms?: unknown
  store?: unknown
  mail?: { url?: unknown } | null
  listen?: At
  operations?: At
  metrics?: At
  public_url?: unknown
  merchants?: Record<string, { [member: string]: unknown } | null> | null
} | null

/** What a schema of the file alone cannot judge, looked at wherever the shape allows, so that all mistakes are told at once. */
function deeper(file: Unjudged, adapters: AdapterRegistry): ConfigMistake[] {
  const mistakes: ConfigMistake[] = []
  const systems = systemsIn(file).flatMap(({ of, ...where }) => (isNamed(of) ? [{ of, ...where }] : []))
  const lives = new Set(systems.flatMap(({ of, mode }) => (mode === 'live' ? [identity(of)] : [])))
  const address = typeof file?.store === 'string' ? findStoreAddressMistake(file.store) : null
  if (address) mistakes.push({ path: 'store', ...address })
  mistakes.push(...brokenUrl('mail', file?.mail, 'url'), ...brokenUrl('', file, 'public_url'), ...samePorts(file))
  for (const [merchant, settings] of Object.entries(file?.merchants ?? {})) {
    const path = `merchants.${merchant}`
    const zone = settings?.time_zone
    if (typeof zone === 'string' && !isTimeZone(zone)) {
      const remedy = 'Give an IANA name such as America/Jamaica'
      mistakes.push({ path: `${path}.time_zone`, mistake: `"${zone}" is not a time zone`, remedy })
    }
    const currency = settings?.currency
    if (typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) && !currencies.has(currency)) {
      const remedy = remedies.currency!
      mistakes.push({ path: `${path}.currency`, mistake: `"${currency}" is not a currency`, remedy })
    }
    for (const page of ['verify_url', 'reset_url']) mistakes.push(...brokenUrl(`${path}.mail`, settings?.mail, page))
    for (const mode of modes)
      mistakes.push(
        ...fitmentMistakes(settings?.[mode] as Record<string, unknown> | null | undefined, mode, `${path}.${mode}`),
      )
  }
  for (const { of, mode, system, place } of systems) {
    mistakes.push(...systemMistakes(of, system, place, adapters), ...tooPatient(of, place, file?.deadline_ms))
    if (mode === 'sandbox' && lives.has(identity(of))) {
      const remedy = 'Give sandbox keys a system of their own, or leave the block out for the embedded one'
      mistakes.push({ path: place, mistake: 'this is a live system', remedy })
    }
  }
  return mistakes
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

const anyAddress: ReadonlySet<unknown> = new Set(['0.0.0.0', '::'])

/** Listeners that would take each other's port: a port of two addresses is two. */
function samePorts(file: Unjudged): ConfigMistake[] {
  const named = (['listen', 'operations', 'metrics'] as const).map((name) => {
    const { host = '127.0.0.1', port } = file?.[name] ?? {}
    return { name, host, port }
  })
  return named.flatMap(({ name, host, port }, at) => {
    const meets = (other: unknown) => other === host || anyAddress.has(other) || anyAddress.has(host)
    const before = named.slice(0, at).find((other) => other.port === port && meets(other.host))
    if (!before || typeof port !== 'number' || port === 0) return []
    return [{ path: `${name}.port`, mistake: `${before.name} has port ${port} already`, remedy: 'Give it another one' }]
  })
}

/** `imported` is a word, and any other source a system. */
function fitmentMistakes(
  block: Record<string, unknown> | null | undefined,
  mode: 'live' | 'sandbox',
  place: string,
): ConfigMistake[] {
  const fitment = block?.fitment
  if (!block || fitment === undefined) return []
  const path = `${place}.fitment`
  const known = typeof fitment === 'object' && fitment !== null ? misfits(SystemFile, fitment, path) : []
  if (typeof fitment !== 'object' && fitment !== 'imported')
    known.push({ path, mistake: 'is no source of fitment', remedy: FITMENT_REMEDY })
  else if (fitment === null) known.push({ path, mistake: 'is empty', remedy: FITMENT_REMEDY })
  const alone = !block.inventory && (mode === 'live' || block.pricing || block.accounting)
  if (alone) {
    const remedy = `Name the inventory that has the products under ${place}.inventory`
    known.push({ path, mistake: 'there is no inventory that it could be merged with', remedy })
  }
  return known
}

const FITMENT_REMEDY = 'Write imported, or a system as the others are: adapter, address and its settings'

/** What has the shape of an address, and is none. It is not repeated: a password may stand in it. */
function brokenUrl(path: string, block: unknown, member: string): ConfigMistake[] {
  const url = (block as Record<string, unknown> | null | undefined)?.[member]
  if (typeof url !== 'string' || !url.includes('://') || URL.canParse(url)) return []
  return [{ path: path ? `${path}.${member}` : member, mistake: 'not a URL', remedy: remedies[member]! }]
}

function systemsIn(file: Unjudged) {
  return Object.entries(file?.merchants ?? {}).flatMap(([merchant, settings]) =>
    modes.flatMap((mode) => {
      const block = settings?.[mode] as Record<string, unknown> | null | undefined
      return portNames.flatMap((system) => {
        const of = block?.[system]
        return typeof of === 'object' ? [{ of, mode, system, place: `merchants.${merchant}.${mode}.${system}` }] : []
      })
    }),
  )
}

/** Two systems are one when they are the same program with the same books: limits apart, nothing differs. */
function identity(of: SystemFile): string {
  return JSON.stringify([of.adapter, String(of.address).replace(/\/+$/, ''), toAdapterSettings(of)])
}

/** Room that a request needs beside the wait for one system. */
const BESIDE_MS = 100

/** A system that may take longer than a whole request never shows that it hangs. */
function tooPatient(of: SystemFile, path: string, deadline: unknown): ConfigMistake[] {
  const most = (typeof deadline === 'number' ? deadline : DEFAULT_DEADLINE_MS) - BESIDE_MS
  if (typeof of.limits?.timeout_ms !== 'number' || of.limits.timeout_ms <= most) return []
  const mistake = `longer than a request may take (deadline_ms ${most + BESIDE_MS})`
  const remedy = most > 0 ? `Give ${most} at the most, or raise deadline_ms` : 'Raise deadline_ms'
  return [{ path: `${path}.limits.timeout_ms`, mistake, remedy }]
}

function isNamed(system: unknown): system is SystemFile {
  return typeof system === 'object' && system !== null && typeof (system as Partial<SystemFile>).adapter === 'string'
}

const adapterOf = ({ adapter }: SystemFile, adapters: AdapterRegistry): Adapter | undefined =>
  Object.hasOwn(adapters, adapter) ? adapters[adapter] : undefined

/** What is no name is not repeated: it may have been meant for another line, with a secret in it. */
const adapterNamed = (name: string) => (/^[\w-]{1,40}$/.test(name) ? `adapter "${name}"` : 'such adapter')

function systemMistakes(of: SystemFile, system: PortName, path: string, adapters: AdapterRegistry): ConfigMistake[] {
  const adapter = adapterOf(of, adapters)
  if (!adapter) {
    const remedy = `Use one of ${Object.keys(adapters).join(', ')}`
    return [{ path: `${path}.adapter`, mistake: `there is no ${adapterNamed(of.adapter)}`, remedy }]
  }
  // A setting that nobody knows is a slip of the pen, and would be as if it were not there.
  const mistakes = misfits({ additionalProperties: false, ...adapter.settings }, toAdapterSettings(of), path)
  if (!adapter[system]) {
    const remedy =
      system === 'fitment' ? 'Use another adapter, or imported' : 'Use another adapter, or leave the system out'
    mistakes.push({ path, mistake: `adapter ${adapter.name} has no ${system}`, remedy })
  }
  if (/^https?:/.test(String(of.address)) && !URL.canParse(of.address)) {
    mistakes.push({ path: `${path}.address`, mistake: 'not a URL', remedy: remedies.address! })
  }
  return mistakes
}

export function toAdapterSettings(of: SystemFile): Record<string, unknown> {
  const { adapter: _adapter, address: _address, limits: _limits, ...settings } = of
  return settings
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
