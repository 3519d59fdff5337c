import { execFile } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { freePort } from '../support/free-port.ts'
import { dockerEnvironment, IMAGE } from './docker-environment.ts'
import { type MountedImage, mountImage, startContainer } from './run-image.ts'

const run = promisify(execFile)
const project = resolve(import.meta.dirname, '../..')
const MAX_BYTES = 250_000_000

/** docs/install/Dockerfile over a bare Debian, built by the command of the docs and run by crun. No registry of images is reached. */
describe('the image', () => {
  let image: MountedImage
  let folder: string
  let port: number

  before(async () => {
    await dockerEnvironment()
    image = await mountImage(IMAGE)
    port = await freePort([0, 1])
    folder = join(tmpdir(), 'image-test')
    await mkdir(join(folder, 'etc'), { recursive: true })
    const system = '{ adapter: rest, address: "http://127.0.0.1:9", token: none }'
    const live = `live: { inventory: ${system}, pricing: ${system}, accounting: ${system} }`
    const merchants = `merchants: { acme: { name: Acme, currency: JMD, time_zone: America/Jamaica, ${live} } }`
    await writeFile(join(folder, 'etc/forecourt.yaml'), `listen: { port: ${port} }\n${merchants}\n`)
  })
  after(() => image?.[Symbol.asyncDispose]())

  const start = (args: readonly string[], env = {}) =>
    startContainer(image, args, { env, mounts: { '/etc/forecourt': join(folder, 'etc') } })

  const isAlive = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    )

  async function bytesOf(root: string): Promise<number> {
    const { stdout } = await run('du', ['-sb', root])
    return Number.parseInt(stdout, 10)
  }

  it('is small, and has neither a shell nor a package manager', async () => {
    const bytes = await bytesOf(image.root)
    process.stdout.write(`      the image has ${(bytes / 1e6).toFixed(0)} MB\n`)
    expect(bytes).to.be.below(MAX_BYTES)
    const { stdout } = await run('find', [
      image.root,
      '-type',
      'f',
      '-perm',
      '/111',
      '-not',
      '-path',
      '*/node_modules/*',
      '-not',
      '-name',
      '*.so*',
    ])
    const programs = stdout
      .trim()
      .split('\n')
      .map((path) => path.slice(image.root.length))
    expect(programs.filter((path) => !path.startsWith('/opt/forecourt/'))).to.deep.equal(['/usr/local/bin/node'])
  })

  it('has a user without rights, labels, a health check and a list of its packages', async () => {
    const { version } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
    const { config, root } = image
    expect(config.User).to.equal('10001:10001')
    expect(config.StopSignal).to.equal('SIGTERM')
    expect(config.Labels).to.include({ 'org.opencontainers.image.version': version })
    expect(config.Labels['org.opencontainers.image.revision']).to.match(/^[0-9a-f]{40}$/)
    expect(config.Healthcheck.Test.slice(0, 2)).to.deep.equal(['CMD', 'node'])
    const sbom = JSON.parse(await readFile(join(root, 'opt/forecourt/sbom.cdx.json'), 'utf8'))
    expect(sbom).to.deep.include({ bomFormat: 'CycloneDX' })
    expect(sbom.metadata.component['bom-ref']).to.equal(`@forecourt/server@${version}`)
    const names = sbom.components.map(({ name }: { name: string }) => name)
    expect(names).to.include.members(['koa', 'kysely', 'undici']).and.not.include.members(['mocha', 'typescript'])
    const { components } = sbom as { components: { name: string; version: string; group?: string }[] }
    for (const { name, group, version: listed } of components) {
      const folders = [join('node_modules', group ?? '', name)]
      const [found] = await Promise.all(
        folders.map((path) => stat(join(root, 'opt/forecourt', path)).catch(() => null)),
      )
      expect(found, `${group ?? ''}/${name} ${listed}`).to.not.equal(null)
    }
  })

  it('serves with a read-only root, says that it is alive, and drains on SIGTERM', async () => {
    const startedAt = performance.now()
    const server = await start([...image.config.Entrypoint, ...image.config.Cmd])
    const ready = server.printed(/Forecourt is ready at (\S+)/)
    // A container that has ended rejects.
    while (!(await isAlive())) await Promise.race([pause(10), ready])
    process.stdout.write(`      it was alive after ${((performance.now() - startedAt) / 1_000).toFixed(2)} s\n`)
    await ready
    const check = await start(image.config.Healthcheck.Test.slice(1), { PORT: String(port) })
    expect(await check.ended).to.deep.equal({ code: 0, output: '' })
    const response = await fetch(`http://127.0.0.1:${port}/v1/products`)
    expect(response.status).to.equal(401)
    server.child.kill('SIGTERM')
    const { code, output } = await server.ended
    expect(code).to.equal(0)
    expect(output).to.match(/"reason":"SIGTERM","msg":"draining"/)
    const dead = await start(image.config.Healthcheck.Test.slice(1), { PORT: String(port) })
    expect((await dead.ended).code).to.equal(1)
  })

  it('says its version', async () => {
    const { version } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
    const said = await start([...image.config.Entrypoint, '--version'])
    expect(await said.ended).to.deep.equal({ code: 0, output: `${version}\n` })
  })
})
