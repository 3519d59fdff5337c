import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { runCommand } from '../support/command.ts'

/** Permissions apply to root only without these capabilities. */
const under =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'] : []

describe('a command of an account that may not read the data directory', () => {
  let data: string
  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'forecourt-unreadable-'))
    await mkdir(join(data, 'sandbox'))
    await chmod(data, 0)
  })
  after(async () => {
    await chmod(data, 0o700)
    await rm(data, { recursive: true })
  })

  for (const [command, file] of [
    [['keys', 'list'], 'forecourt.db'],
    [['logs'], 'forecourt.log'],
    [['webhooks', 'listen'], 'demo-keys.json'],
  ] as const)
    it(`says so, and not that there is nothing: ${command.join(' ')}`, async () => {
      const { code, out, err } = await runCommand(command, { cwd: '/', env: { FORECOURT_DATA: data }, under })
      expect([code, out]).to.deep.equal([2, ''])
      expect(err)
        .to.include(`This account may not read ${join(data, file)} (EACCES).`)
        .and.include('as the account of the server')
    })
})
