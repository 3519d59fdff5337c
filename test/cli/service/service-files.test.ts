import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { removeServiceFiles, writeServiceFiles } from '../../../src/cli/service/service-files.ts'
import { UsageError } from '../../../src/cli/usage-error.ts'
import { runCommand } from '../../support/command.ts'

const run = promisify(execFile)
const program = { node: '/usr/local/bin/node', launcher: '/opt/fore court/100%/$HOME/forecourt.js' }
const UNIT = 'etc/systemd/system/forecourt.service'
const TEMPLATE = 'etc/systemd/system/forecourt@.service'
const ALL = [
  UNIT,
  TEMPLATE,
  'etc/logrotate.d/forecourt',
  'etc/sysusers.d/forecourt.conf',
  'etc/tmpfiles.d/forecourt.conf',
]

describe('forecourt service', () => {
  let root: string
  const read = (path: string) => readFile(join(root, path), 'utf8')

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'forecourt-service-'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  it('installs the files below a root, with the Node and the launcher that ran it, and removes them', async () => {
    const installed = await runCommand(['service', 'install', '--root', root], { cwd: root })
    expect(installed).to.deep.include({ code: 0, err: '' })
    expect(installed.out).to.equal(ALL.map((path) => `Wrote ${join(root, path)}\n`).join(''))
    const [, node, launcher] = /^ExecStart="(.*?)" "(.*?)" serve --config /m.exec(await read(UNIT))!
    expect(node).to.equal(process.execPath)
    expect(existsSync(launcher!)).to.equal(true)
    const removed = await runCommand(['service', 'remove', '--root', root], { cwd: root })
    expect(removed.out).to.equal(ALL.map((path) => `Removed ${join(root, path)}\n`).join(''))
    expect(ALL.filter((path) => existsSync(join(root, path)))).to.deep.equal([])
  })

  const itOnLinux = process.platform === 'linux' ? it : () => {}
  itOnLinux('has units that systemd reads without warnings, with an exposure of at most 3', async () => {
    writeServiceFiles(root, program)
    for (const name of ['forecourt.service', 'forecourt@8180.service']) {
      // It exits with an error above the threshold, and prints what it does not understand.
      const args = ['security', '--offline=yes', '--threshold=30', `--root=${root}`, name]
      const { stdout, stderr } = await run('systemd-analyze', args)
      expect(stdout).to.match(/Overall exposure level for \S+: [012]\.\d OK/)
      expect(stderr).to.equal('')
    }
  })

  it('quotes paths for systemd', async () => {
    writeServiceFiles(root, program)
    expect(await read(UNIT)).to.include(
      '\nExecStart="/usr/local/bin/node" "/opt/fore court/100%%/$$HOME/forecourt.js" serve --config /etc/forecourt/forecourt.yaml\n',
    )
    expect(await read(TEMPLATE)).to.include('\nEnvironment=PORT=%i\n')
  })

  it('limits the memory to what the configuration needs, also while it is loaded again', async () => {
    const limits: (string | undefined)[] = []
    for (const text of [
      null,
      'workers: 4',
      'cache: { max_mib: 4096 }',
      'workers: 2\ncache: { max_mib: 512 }',
      'workers: x',
    ]) {
      await mkdir(join(root, 'etc/forecourt'), { recursive: true })
      if (text !== null) await writeFile(join(root, 'etc/forecourt/forecourt.yaml'), text)
      writeServiceFiles(root, program)
      limits.push(/^MemoryMax=(.*)$/m.exec(await read(UNIT))?.[1])
      expect(await read(TEMPLATE)).to.include(`\nMemoryMax=${limits.at(-1)}\n`)
    }
    expect(limits).to.deep.equal(['2048M', '6144M', '4864M', '4352M', '2048M'])
  })

  it('replaces its own files, which everybody can read', async () => {
    writeServiceFiles(root, { ...program, node: '/opt/old/node' })
    writeServiceFiles(root, program)
    expect(await read(UNIT))
      .to.include('"/usr/local/bin/node"')
      .and.not.include('/opt/old')
    expect((await stat(join(root, UNIT))).mode & 0o777).to.equal(0o644)
  })

  it('neither replaces nor removes a unit that somebody else wrote', async () => {
    await mkdir(join(root, 'etc/systemd/system'), { recursive: true })
    await writeFile(join(root, UNIT), '[Service]\n')
    expect(() => writeServiceFiles(root, program)).to.throw(UsageError, `does not replace them: ${join(root, UNIT)}.`)
    expect(ALL.filter((path) => existsSync(join(root, path)))).to.deep.equal([UNIT])
    expect(removeServiceFiles(root)).to.deep.equal([])
    expect(await read(UNIT)).to.equal('[Service]\n')
  })
})
