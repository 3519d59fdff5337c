import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect } from 'chai'

const root = resolve(import.meta.dirname, '..')

/** The rooms from top to bottom: a file imports from its own floor or from one further down. docs/architecture.md explains them. */
const floors: readonly (readonly string[])[] = [
  ['src/main.ts', 'src/bin'],
  ['src/cli'],
  ['src/runtime'],
  ['src/app.ts'],
  ['src/routes', 'src/console', 'src/shop'],
  ['src/http'],
  ['src/commands'],
  ['src/webhooks', 'src/tracing'],
  ['src/operations'],
  ['src/diagnostics'],
  ['src/changes', 'src/doctor', 'src/fitment', 'src/media', 'src/references', 'src/sections'],
  ['src/imports'],
  ['src/upstream'],
  ['src/storage'],
  ['src/errors.ts'],
  ['src/problem-types.ts'],
  ['src/contract'],
  ['src/catalog', 'src/cache', 'src/egress'],
  ['src/config', 'src/adapters.ts'],
  ['src/sandbox'],
  [
    'src/calendar',
    'src/files',
    'src/lifecycle',
    'src/security',
    'src/tenant.ts',
    'src/diagnostics/get-or-create.ts',
    'src/diagnostics/tuple-map.ts',
    'src/ports',
    'src/installed-command-line.ts',
    'src/client',
  ],
]

/** Packages that only some rooms may import. */
const homes: Readonly<Record<string, readonly string[]>> = {
  koa: ['src/app.ts', 'src/routes', 'src/http', 'src/console', 'src/sandbox'],
  '@koa/router': ['src/app.ts', 'src/runtime', 'src/routes', 'src/http', 'src/console', 'src/shop', 'src/sandbox'],
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
  'ipaddr.js': ['src/egress', 'src/security'],
  sharp: ['src/media'],
  'csv-parse': ['src/imports'],
  saxes: ['src/imports'],
  kysely: ['src/storage', 'src/operations/health-check.ts'],
}

interface Import {
  from: string
  to: string
  /** Erased when the code runs. */
  isTypeOnly: boolean
}

const isInside = (file: string, room: string) => file === room || file.startsWith(`${room}/`)
const floorOf = (file: string) => floors.findIndex((rooms) => rooms.some((room) => isInside(file, room)))

function importsOf(file: string, text: string): Import[] {
  const statements = text.matchAll(
    /^(?:import|export)\s([^'"]*?)from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  )
  return [...statements].map(([, names = '', ...paths]) => {
    const path = paths.find((one) => one !== undefined)!
    const bindings = names
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
    return {
      from: file,
      to: path.startsWith('.') ? relative(root, resolve(root, dirname(file), path)) : path,
      isTypeOnly:
        names.startsWith('type ') || (bindings.length > 0 && bindings.every((name) => name.startsWith('type '))),
    }
  })
}

function violations(imports: readonly Import[]): string[] {
  return imports.flatMap(({ from, to }) => {
    const home = homes[to]
    if (home && isInside(from, 'src') && !home.some((room) => isInside(from, room))) return [`${from} imports ${to}`]
    if (isInside(from, 'src') && isInside(to, 'adapters') && from !== 'src/adapters.ts')
      return [`${from} imports an adapter: ${to}`]
    const [upper, lower] = [floorOf(from), floorOf(to)]
    return upper >= 0 && lower >= 0 && lower < upper ? [`${from} reaches up to ${to}`] : []
  })
}

/** The groups of nodes that reach each other (Tarjan). */
function cycles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  function visit(node: string): void {
    order.set(node, order.size)
    lowest.set(node, order.get(node)!)
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!))
    }
    if (lowest.get(node) !== order.get(node)) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) found.push(group.sort())
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return found
}

/** The imports between the nodes to which `nodeOf` maps files. */
function graphOf(imports: readonly Import[], nodeOf: (file: string) => string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    if (!to.endsWith('.ts') || nodeOf(from) === nodeOf(to)) continue
    const targets = edges.get(nodeOf(from)) ?? new Set()
    edges.set(nodeOf(from), targets.add(nodeOf(to)))
  }
  return edges
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}

describe('the architecture', () => {
  const files = [...sources('src'), ...sources('adapters')]
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const imports = [...texts].flatMap(([file, text]) => importsOf(file, text))

  it('has imports that point down', () => {
    expect(imports.length).to.be.above(200)
    expect(files.filter((file) => isInside(file, 'src') && floorOf(file) < 0)).to.deep.equal([])
    expect(violations(imports)).to.deep.equal([])
  })

  it('keeps the texts of the console below its pages', () => {
    const upward = imports.filter(
      ({ from, to }) => isInside(from, 'src/console/text') && isInside(to, 'src/console/pages'),
    )
    expect(upward).to.deep.equal([])
  })

  it('has a client that shares nothing with the rest, and that only the shop uses', () => {
    const isClient = (file: string) => isInside(file, 'src/client')
    const crossing = imports.filter(
      ({ from, to }) => isInside(to, 'src') && isClient(from) !== isClient(to) && !isInside(from, 'src/shop'),
    )
    const packages = imports.filter(({ from, to }) => isClient(from) && !to.startsWith('src/'))
    expect(crossing).to.deep.equal([])
    expect(packages.map(({ from, to }) => `${from} ${to}`)).to.deep.equal(['src/client/msw.ts msw'])
  })

  const atRunTime = imports.filter(({ isTypeOnly }) => !isTypeOnly)

  it('has no circle of files, except of types', () => {
    expect(cycles(graphOf(atRunTime, (file) => file))).to.deep.equal([])
  })

  it('has no circle of rooms', () => {
    const roomOf = (file: string) => file.split('/').slice(0, 2).join('/')
    expect(cycles(graphOf(imports, roomOf))).to.deep.equal([])
  })

  it('has no circle of folders within a room, except of types', () => {
    const folders = new Set(files.map((file) => dirname(file)))
    const hasRooms = (folder: string) => [...folders].some((one) => dirname(one) === folder)
    // The loose files of a folder with sub-folders compose these, or are used by them: each counts by itself.
    const nodeOf = (file: string) => (hasRooms(dirname(file)) ? file : dirname(file))
    const circles = cycles(graphOf(atRunTime, nodeOf)).filter((circle) => circle.some((node) => folders.has(node)))
    expect(circles).to.deep.equal([])
  })

  it('notices a planted violation of each kind', () => {
    const planted = [
      { from: 'src/upstream/guard/guard.ts', to: 'src/http/responses/cors.ts', isTypeOnly: false },
      { from: 'src/catalog/availability-bands.ts', to: 'got', isTypeOnly: false },
      { from: 'src/routes/catalog/product.ts', to: 'adapters/rest/adapter.ts', isTypeOnly: false },
    ]
    expect(violations(planted)).to.have.lengthOf(3)
    const circle = [
      planted[0]!,
      { from: 'src/http/responses/cors.ts', to: 'src/upstream/guard/guard.ts', isTypeOnly: false },
    ]
    expect(cycles(graphOf(circle, dirname))).to.deep.equal([['src/http/responses', 'src/upstream/guard']])
  })

  it('exports each name once', () => {
    const isDomain = (file: string) => !/^(adapters|src\/client|src\/sandbox|src\/storage\/migrations)\//.test(file)
    const places = [...texts]
      .filter(([file]) => isDomain(file))
      .flatMap(([file, text]) =>
        [
          ...new Set(
            [...text.matchAll(/^export (?:async )?(?:function\*?|const|class|type|interface) (\w+)/gm)].map(
              (match) => match[1]!,
            ),
          ),
        ].map((name) => ({ name, file })),
      )
    const alike = [...Map.groupBy(places, ({ name }) => name)].filter(([, found]) => found.length > 1)
    expect(alike.map(([name, found]) => `${name}: ${found.map(({ file }) => file).join(', ')}`)).to.deep.equal([])
  })

  it('reads the environment in one file, and has no default exports', () => {
    const reading = files.filter((file) => !isInside(file, 'src/config') && /\bprocess\.env\b/.test(texts.get(file)!))
    const defaults = files.filter((file) => /^export default\b/m.test(texts.get(file)!))
    expect({ reading, defaults }).to.deep.equal({ reading: [], defaults: [] })
  })
})
