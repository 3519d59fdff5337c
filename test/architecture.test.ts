import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect } from 'chai'

const root = resolve(import.meta.dirname, '..')

/** Rooms from the street inward: a file imports from its own layer or from one further in. */
const layers: readonly (readonly string[])[] = [
  ['src/main.ts'],
  ['src/cli'],
  ['src/runtime/start.ts'],
  ['src/runtime/observability.ts', 'src/runtime/api.ts', 'src/runtime/listeners.ts'],
  [
    'src/runtime/background-jobs.ts',
    'src/runtime/console-setup.ts',
    'src/runtime/operator-overrides.ts',
    'src/runtime/media-setup.ts',
    'src/adapters.ts',
  ],
  ['src/app.ts', 'src/http/server.ts'],
  ['src/routes', 'src/http', 'src/operations', 'src/console'],
  ['src/diagnostics', 'src/tracing'],
  ['src/commands', 'src/doctor', 'src/fitment', 'src/sections/section.ts'],
  ['src/upstream', 'src/catalog', 'src/storage', 'src/events', 'src/media'],
  ['src/egress'],
  [
    'src/ports',
    'src/config/config.ts',
    'src/config/substitute-variables.ts',
    'src/config/parse-yaml.ts',
    'src/lifecycle/make-folder.ts',
    'src/config/validate-config-file.ts',
    'src/config/config-error.ts',
    'src/config/config-schema.ts',
    'src/contract',
    'src/errors.ts',
    'src/config/store-address.ts',
  ],
]

/** Packages that belong to some rooms alone. */
const homes: Readonly<Record<string, readonly string[]>> = {
  koa: ['src/app.ts', 'src/routes', 'src/http', 'src/console', 'src/sandbox'],
  '@koa/router': ['src/app.ts', 'src/routes', 'src/http', 'src/console', 'src/sandbox'],
  'koa-body': ['src/http', 'src/console', 'src/sandbox'],
  eta: ['src/console'],
  'prom-client': ['src/operations'],
  '@opentelemetry/api': ['src/tracing'],
  '@opentelemetry/sdk-trace': ['src/tracing'],
  '@opentelemetry/resources': ['src/tracing'],
  '@opentelemetry/exporter-trace-otlp-http': ['src/tracing'],
  got: ['src/upstream'],
  opossum: ['src/upstream'],
  pg: ['src/storage'],
  nodemailer: ['src/operations'],
  'ipaddr.js': ['src/egress'],
  sharp: ['src/media'],
  'csv-parse': ['src/fitment'],
  kysely: ['src/storage', 'src/operations/health-check.ts'],
}

interface Import {
  from: string
  to: string
}

const inside = (file: string, room: string) => file === room || file.startsWith(`${room}/`)
const layerOf = (file: string) => layers.findIndex((rooms) => rooms.some((room) => inside(file, room)))

function importsOf(file: string, text: string): Import[] {
  const found = text.matchAll(
    /^(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  )
  return [...found].map((match) => {
    const to = (match[1] ?? match[2] ?? match[3])!
    return { from: file, to: to.startsWith('.') ? relative(root, resolve(root, dirname(file), to)) : to }
  })
}

function violations(imports: readonly Import[]): string[] {
  return imports.flatMap(({ from, to }) => {
    const home = homes[to]
    if (home && inside(from, 'src') && !home.some((room) => inside(from, room))) return [`${from} imports ${to}`]
    if (inside(from, 'src') && inside(to, 'adapters') && from !== 'src/adapters.ts')
      return [`${from} imports an adapter: ${to}`]
    const [outer, inner] = [layerOf(from), layerOf(to)]
    return outer >= 0 && inner >= 0 && inner < outer ? [`${from} reaches up to ${to}`] : []
  })
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}

describe('the house', () => {
  const files = [...sources('src'), ...sources('adapters')]
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const imports = [...texts].flatMap(([file, text]) => importsOf(file, text))

  it('has imports that point inward alone', () => {
    expect(imports.length).to.be.above(200)
    expect(violations(imports)).to.deep.equal([])
  })

  it('notices a planted violation of each kind', () => {
    const planted = [
      { from: 'src/upstream/guard.ts', to: 'src/http/cors.ts' },
      { from: 'src/catalog/availability-bands.ts', to: 'got' },
      { from: 'src/routes/catalog/product.ts', to: 'adapters/rest/adapter.ts' },
    ]
    expect(violations(planted)).to.have.lengthOf(3)
  })

  it('reads the environment in config.ts alone, and has no default exports', () => {
    const reading = files.filter((file) => file !== 'src/config/config.ts' && /\bprocess\.env\b/.test(texts.get(file)!))
    const defaults = files.filter((file) => /^export default\b/m.test(texts.get(file)!))
    expect({ reading, defaults }).to.deep.equal({ reading: [], defaults: [] })
  })
})
