import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** `npm run pack:client`: compiles the client to JavaScript, because Node strips no types below node_modules, and packs it. */

const project = resolve(import.meta.dirname, '../../..')
const source = join(project, 'src/client')

/** Builds the package in a folder and returns the path of its tarball there. */
export function packClient(folder: string): string {
  compileClient(folder)
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: folder,
    encoding: 'utf8',
  })
  return join(folder, JSON.parse(output)[0].filename)
}

/** Replaces a folder by the files of the package. */
export function compileClient(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const compiler = join(project, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '--project', source, '--outDir', folder], { stdio: 'inherit' })
  nameCompiledFiles(folder)
  for (const name of ['package.json', 'README.md']) copyFileSync(join(source, name), join(folder, name))
}

/** The compiler renames imports in .js only. A project that compiles with `moduleResolution: node16` looks for .js in .d.ts too. */
function nameCompiledFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(folder, name)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { folder: { type: 'string', default: join(project, 'dist/client') } } })
  process.stdout.write(`${packClient(resolve(values.folder))}\n`)
}
