import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { parseDocument } from 'yaml'
import type { Adapter } from './ports/adapter.ts'
import { type System, systems } from './ports/system.ts'

const Milliseconds = Type.Integer({ minimum: 10, maximum: 60_000 })

const LimitsFile = Type.Object(
  {
    timeout_ms: Type.Optional(Milliseconds),
    concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    queue: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    max_response_mib: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
  },
  { additionalProperties: false },
)

/** The adapter's own settings stand beside these and are judged by the adapter's schema. */
const SystemFile = Type.Object({
  adapter: Type.String({ minLength: 1 }),
  address: Type.String({ pattern: '^https?://.+' }),
  limits: Type.Optional(LimitsFile),
})

const SystemsFile = Type.Object(
  { inventory: Type.Optional(SystemFile), pricing: Type.Optional(SystemFile), accounting: Type.Optional(SystemFile) },
  { additionalProperties: false },
)

const MerchantFile = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    time_zone: Type.String({ minLength: 1 }),
    bands: Type.Optional(
      Type.Object(
        { low: Type.Optional(Type.Number({ minimum: 0 })), hysteresis: Type.Optional(Type.Number({ minimum: 0 })) },
        { additionalProperties: false },
      ),
    ),
    live: Type.Optional(SystemsFile),
    sandbox: Type.Optional(SystemsFile),
  },
  { additionalProperties: false },
)

const ConfigFile = Type.Object(
  {
    listen: Type.Optional(
      Type.Object(
        {
          host: Type.Optional(Type.String({ minLength: 1 })),
          port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
        },
        { additionalProperties: false },
      ),
    ),
    metrics: Type.Optional(
      Type.Object(
        { host: Type.Optional(Type.String({ minLength: 1 })), port: Type.Integer({ minimum: 0, maximum: 65_535 }) },
        { additionalProperties: false },
      ),
    ),
    data: Type.Optional(Type.String({ minLength: 1 })),
    store: Type.Optional(Type.String({ pattern: '^sqlite:.+' })),
    log: Type.Optional(
      Type.Object(
        {
          file: Type.Optional(Type.String({ minLength: 1 })),
          level: Type.Optional(Type.Enum(['trace', 'debug', 'info', 'warn', 'error'])),
        },
        { additionalProperties: false },
      ),
    ),
    cache: Type.Optional(
      Type.Object(
        { max_mib: Type.Optional(Type.Integer({ minimum: 8, maximum: 65_536 })) },
        { additionalProperties: false },
      ),
    ),
    merchants: Type.Record(Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$' }), MerchantFile, {
      minProperties: 1,
      additionalProperties: false,
    }),
  },
  { additionalProperties: false },
)

export type Mode = 'live' | 'sandbox'

export interface SystemConfig {
  adapter: string
  address: string
  /** Judged by the adapter's schema. */
  settings: Record<string, unknown>
  /** What the file sets; the guard has defaults for the rest. */
  limits: { timeoutMs?: number; concurrency?: number; queue?: number }
  maxResponseBytes: number
}

export type SystemsConfig = Partial<Record<System, SystemConfig>>

export interface MerchantConfig {
  merchant: string
  name: string
  currency: string
  timeZone: string
  bands: { low: number; hysteresis: number }
  live: SystemsConfig
  /** `null`: the embedded back office stands in. */
  sandbox: SystemsConfig | null
}

export interface Config {
  listen: { host: string; port: number }
  /** Prometheus text, on a listener of its own; `null`: none. */
  metrics: { host: string; port: number } | null
  dataDirectory: string
  /** `sqlite:<path>`. */
  store: string
  log: { file: string | null; level: string }
  cacheBytes: number
  merchants: MerchantConfig[]
}

export interface ConfigMistake {
  /** Where in the file: "merchants.acme.live.pricing.address". */
  path: string
  mistake: string
  remedy: string
}

/** Every mistake of a configuration at once. */
export class ConfigInvalid extends Error {
  readonly mistakes: ConfigMistake[]

  constructor(source: string, mistakes: ConfigMistake[]) {
    const lines = mistakes.map(({ path, mistake, remedy }) => `  ${path || '(file)'}: ${mistake}. ${remedy}`)
    super(`${source} has ${mistakes.length} mistake${mistakes.length === 1 ? '' : 's'}:\n${lines.join('\n')}`)
    this.name = 'ConfigInvalid'
    this.mistakes = mistakes
  }
}

export type Environment = Readonly<Record<string, string | undefined>>
export const environment: Environment = process.env

const MIB = 1_048_576

export function defaults(env: Environment = environment): Omit<Config, 'merchants'> {
  const dataDirectory = resolve(env.FORECOURT_DATA ?? 'data')
  return {
    listen: { host: env.HOST ?? '127.0.0.1', port: portOf(env.PORT) ?? 8080 },
    metrics: null,
    dataDirectory,
    store: storeIn(dataDirectory),
    log: { file: null, level: 'info' },
    cacheBytes: 256 * MIB,
  }
}

const storeIn = (directory: string) => `sqlite:${join(directory, 'forecourt.db')}`

function portOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new ConfigInvalid('The environment', [
    { path: 'PORT', mistake: `"${text}" is not a port`, remedy: 'Give a number from 0 to 65535' },
  ])
}

/** Reads and judges a configuration file. Throws ConfigInvalid with all that is wrong in it. */
export function readConfig(
  file: string,
  adapters: Readonly<Record<string, Adapter>>,
  env: Environment = environment,
): Config {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigInvalid(file, [
      {
        path: '',
        mistake: code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`,
        remedy: 'Give the path of a forecourt.yaml with --config',
      },
    ])
  }
  return parseConfig(text, file, adapters, env)
}

export function parseConfig(
  text: string,
  source: string,
  adapters: Readonly<Record<string, Adapter>>,
  env: Environment,
): Config {
  const document = parseDocument(text, { merge: true })
  if (document.errors.length > 0) {
    throw new ConfigInvalid(
      source,
      document.errors.map((error) => ({
        path: '',
        mistake: error.message.split('\n')[0]!,
        remedy: 'Mend the YAML there',
      })),
    )
  }
  const mistakes: ConfigMistake[] = []
  const value = withSecrets(document.toJS({ maxAliasCount: 1_000 }), '', env, mistakes)
  mistakes.push(...misfits(ConfigFile, value, ''))
  if (mistakes.length === 0) mistakes.push(...deeper(value as Static<typeof ConfigFile>, adapters))
  if (mistakes.length > 0) throw new ConfigInvalid(source, mistakes)
  return configOf(value as Static<typeof ConfigFile>, env)
}

/** Replaces `${NAME}` in any string by that environment variable, so that secrets need not stand in the file. */
function withSecrets(value: unknown, path: string, env: Environment, mistakes: ConfigMistake[]): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const secret = env[name]
      if (secret === undefined)
        mistakes.push({ path, mistake: `the environment has no ${name}`, remedy: `Set ${name} before starting` })
      return secret ?? '-'
    })
  }
  if (Array.isArray(value)) return value.map((entry, at) => withSecrets(entry, `${path}.${at}`, env, mistakes))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      withSecrets(entry, path ? `${path}.${key}` : key, env, mistakes),
    ]),
  )
}

function misfits(schema: TSchema, value: unknown, prefix: string): ConfigMistake[] {
  const validator = Compile(schema)
  if (validator.Check(value)) return []
  return validator.Errors(value).map((error) => {
    const path = [prefix, ...error.instancePath.split('/').slice(1)].filter(Boolean).join('.')
    const params = error.params as Record<string, unknown>
    const unknown = error.keyword === 'additionalProperties' ? (params.additionalProperties as string[]) : []
    if (unknown.length > 0)
      return { path, mistake: `does not know ${unknown.join(', ')}`, remedy: 'Check the spelling, or remove it' }
    if (error.keyword === 'required') {
      return { path, mistake: `lacks ${(params.requiredProperties as string[]).join(', ')}`, remedy: 'Add it' }
    }
    return { path, mistake: error.message, remedy: 'Correct the value' }
  })
}

/** What a schema of the file alone cannot judge. */
function deeper(file: Static<typeof ConfigFile>, adapters: Readonly<Record<string, Adapter>>): ConfigMistake[] {
  const mistakes: ConfigMistake[] = []
  for (const [merchant, settings] of Object.entries(file.merchants)) {
    const path = `merchants.${merchant}`
    if (!isTimeZone(settings.time_zone)) {
      mistakes.push({
        path: `${path}.time_zone`,
        mistake: `"${settings.time_zone}" is not a time zone`,
        remedy: 'Give an IANA name such as America/Jamaica',
      })
    }
    for (const mode of ['live', 'sandbox'] as const) {
      for (const system of systems) {
        const of = settings[mode]?.[system]
        if (of) mistakes.push(...systemMistakes(of, system, `${path}.${mode}.${system}`, adapters))
      }
    }
  }
  return mistakes
}

function systemMistakes(
  of: Static<typeof SystemFile>,
  system: System,
  path: string,
  adapters: Readonly<Record<string, Adapter>>,
): ConfigMistake[] {
  const adapter = adapters[of.adapter]
  if (!adapter) {
    return [
      {
        path: `${path}.adapter`,
        mistake: `there is no adapter "${of.adapter}"`,
        remedy: `Use one of ${Object.keys(adapters).join(', ')}`,
      },
    ]
  }
  const mistakes = misfits(adapter.settings, settingsOf(of), path)
  if (!adapter[system])
    mistakes.push({
      path,
      mistake: `adapter ${adapter.name} has no ${system}`,
      remedy: 'Use another adapter, or leave the system out',
    })
  if (!URL.canParse(of.address))
    mistakes.push({ path: `${path}.address`, mistake: 'not a URL', remedy: 'Give http:// or https:// with a host' })
  return mistakes
}

function settingsOf(of: Static<typeof SystemFile>): Record<string, unknown> {
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

function configOf(file: Static<typeof ConfigFile>, env: Environment): Config {
  const base = defaults(env)
  const dataDirectory = resolve(env.FORECOURT_DATA ?? file.data ?? 'data')
  return {
    listen: {
      host: env.HOST ?? file.listen?.host ?? base.listen.host,
      port: portOf(env.PORT) ?? file.listen?.port ?? base.listen.port,
    },
    metrics: file.metrics ? { host: file.metrics.host ?? '127.0.0.1', port: file.metrics.port } : null,
    dataDirectory,
    store: file.store ?? storeIn(dataDirectory),
    log: { file: file.log?.file ?? null, level: file.log?.level ?? 'info' },
    cacheBytes: file.cache?.max_mib ? file.cache.max_mib * MIB : base.cacheBytes,
    merchants: Object.entries(file.merchants).map(([merchant, settings]) => ({
      merchant,
      name: settings.name,
      currency: settings.currency,
      timeZone: settings.time_zone,
      bands: { low: settings.bands?.low ?? 5, hysteresis: settings.bands?.hysteresis ?? 2 },
      live: systemsOf(settings.live ?? {}),
      sandbox: settings.sandbox ? systemsOf(settings.sandbox) : null,
    })),
  }
}

function systemsOf(file: Static<typeof SystemsFile>): SystemsConfig {
  const found = systems.flatMap((system) => (file[system] ? [[system, systemOf(file[system])] as const] : []))
  return Object.fromEntries(found)
}

function systemOf(file: Static<typeof SystemFile>): SystemConfig {
  return {
    adapter: file.adapter,
    address: file.address.replace(/\/+$/, ''),
    settings: settingsOf(file),
    limits: {
      ...(file.limits?.timeout_ms !== undefined && { timeoutMs: file.limits.timeout_ms }),
      ...(file.limits?.concurrency !== undefined && { concurrency: file.limits.concurrency }),
      ...(file.limits?.queue !== undefined && { queue: file.limits.queue }),
    },
    maxResponseBytes: (file.limits?.max_response_mib ?? 16) * MIB,
  }
}
