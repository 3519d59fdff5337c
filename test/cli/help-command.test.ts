import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createCommandHost } from '../support/command-host.ts'

describe('forecourt help', () => {
  const host = createCommandHost()
  let cwd: string

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-cli-'))
  })
  after(() => {
    host.stop()
    return rm(cwd, { recursive: true, force: true })
  })

  for (const [mistake, args, sentence] of [
    ['help for an unknown command', ['help', 'foo'], /^error: unknown command 'foo'\n/],
    ['help for an unknown command of a group', ['help', 'keys', 'foo'], /^error: unknown command 'foo'\n/],
    ['help for an unknown command, asked of a group', ['keys', 'help', 'foo'], /^error: unknown command 'foo'\n/],
  ] as const) {
    it(`explains ${mistake} in a sentence, and exits 2`, async () => {
      const { code, out, err } = await host.run(args, { cwd })
      expect({ code, out }).to.deep.equal({ code: 2, out: '' })
      expect(err)
        .to.match(sentence)
        .and.not.match(/\n\s+at /)
    })
  }

  it('prints the same help for `help keys issue` as for `keys issue --help`', async () => {
    const [help, option] = await Promise.all([
      host.run(['help', 'keys', 'issue'], { cwd }),
      host.run(['keys', 'issue', '--help'], { cwd }),
    ])
    expect(help).to.deep.equal(option)
    expect((await host.run(['help'], { cwd })).out).to.equal((await host.run(['--help'], { cwd })).out)
  })
})
