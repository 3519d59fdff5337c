import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { runCommand } from '../../support/command.ts'
import { freeSandboxPort } from '../../support/free-port.ts'

describe('forecourt demo without space for its files', () => {
  let cwd: string
  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-full-'))
  })
  after(() => rm(cwd, { recursive: true, force: true }))

  for (const bytes of [100_000, 2_000_000])
    it(`names the folder and a remedy, with files of at most ${bytes} bytes`, async () => {
      const env = { PORT: '0', FORECOURT_DATA: join(cwd, String(bytes)) }
      const args = ['demo', '--sandbox-port', String(await freeSandboxPort())]
      const { code, err } = await runCommand(args, { cwd, env, under: ['prlimit', `--fsize=${bytes}`] })
      expect(code).to.equal(1)
      const [last] = err.trim().split('\n').slice(-1)
      expect(last).to.match(/^forecourt: /)
      expect(last).to.include(env.FORECOURT_DATA).and.include('set FORECOURT_DATA to a folder elsewhere')
    })
})
