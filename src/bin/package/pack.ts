import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createWorkFolder } from './create-work-folder.ts'
import { packedManifest } from './packed-manifest.ts'
import { packedVersion } from './packed-version.ts'

/** `npm run pack`: compiles Forecourt to JavaScript, because Node strips no types below node_modules, and packs what runs into dist/*.tgz. */

const project = resolve(import.meta.dirname, '../../..')
const dist = join(project, 'dist')
const work = createWorkFolder(dist)
const folder = join(work, 'package')

interface PackResult {
  filename: string
  size: number
  unpackedSize: number
  files: { path: string; size: number }[]
}

const COPIED = ['src', 'adapters', 'fixtures/media', 'fixtures/originals', 'docs', 'README.md', 'CHANGELOG.md']
/** TypeScript is compiled. The client has a package of its own, and the tools that pack are not packed. */
const NOT_PACKED = ['src/client', 'src/bin/client', 'src/bin/docs', 'src/bin/package'].map((name) =>
  join(project, name),
)
const isCopied = (path: string) => !path.endsWith('.ts') && !NOT_PACKED.includes(path)

const read = (name: string) => readFileSync(join(project, name), 'utf8')
const manifest = JSON.parse(read('package.json'))

/** The build of an image has no Git repository: options name the release and the commit. */
function readCommit(): { tags: string[]; commit: string | undefined } {
  if (!existsSync(join(project, '.git'))) {
    const { values } = parseArgs({ options: { release: { type: 'string' }, revision: { type: 'string' } } })
    const [release, revision] = [values.release, values.revision].map((value) =>
      value === 'unknown' ? undefined : value,
    )
    return { tags: release ? [`v${release}`] : [], commit: revision?.slice(0, 8) }
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' }).trim()
  const commit = git('describe', '--always', '--dirty', '--abbrev=8', '--exclude=*')
  return { tags: git('tag', '--points-at', 'HEAD').split('\n'), commit }
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1_000)} kB`

function build(version: string): void {
  const compiler = join(project, 'node_modules/typescript/bin/tsc')
  // `npm run check` checks types, which takes ten times as long.
  const compile = (args: readonly string[]) =>
    execFileSync(process.execPath, [compiler, '--noCheck', ...args], { stdio: 'inherit' })
  compile(['--project', import.meta.dirname, '--outDir', folder])
  // The pages of the demo's shop run in a browser, with its types. The client is compiled with what imports it.
  const emit = ['--noEmit', 'false', '--rootDir', project, '--outDir', folder]
  compile(['--project', join(project, 'src/shop/pages'), ...emit])
  for (const name of COPIED) cpSync(join(project, name), join(folder, name), { recursive: true, filter: isCopied })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packedManifest({ ...manifest, version }), null, 2)}\n`)
}

function pack(): PackResult {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', work], { cwd: folder, encoding: 'utf8' })
  const [result] = JSON.parse(output) as [PackResult]
  renameSync(join(work, result.filename), join(dist, result.filename))
  return result
}

function report({ filename, size, unpackedSize, files }: PackResult): void {
  const bytes = new Map<string, number>()
  for (const { path, size } of files) {
    const [top = '', ...below] = path.split('/')
    const name = below.length > 0 ? `${top}/` : top
    bytes.set(name, (bytes.get(name) ?? 0) + size)
  }
  for (const [name, total] of bytes) process.stdout.write(`${kilobytes(total).padStart(9)}  ${name}\n`)
  const path = join('dist', filename)
  process.stdout.write(`${path}: ${kilobytes(size)}, ${files.length} files, ${kilobytes(unpackedSize)} unpacked\n`)
}

try {
  build(packedVersion({ version: manifest.version, ...readCommit(), changelog: read('CHANGELOG.md') }))
  report(pack())
} finally {
  rmSync(work, { recursive: true })
}
