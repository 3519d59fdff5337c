import { expect } from 'chai'
import { useCommandHostFolder } from '../support/command-host-folder.ts'

describe('forecourt help', () => {
  const folder = useCommandHostFolder()

  for (const [mistake, args, sentence] of [
    ['help for an unknown command', ['help', 'foo'], /^error: unknown command 'foo'\n/],
    ['help for an unknown command of a group', ['help', 'keys', 'foo'], /^error: unknown command 'foo'\n/],
    ['help for an unknown command, asked of a group', ['keys', 'help', 'foo'], /^error: unknown command 'foo'\n/],
  ] as const) {
    it(`explains ${mistake} in a sentence, and exits 2`, async () => {
      const { code, out, err } = await folder.run(args, { cwd: folder.cwd })
      expect({ code, out }).to.deep.equal({ code: 2, out: '' })
      expect(err)
        .to.match(sentence)
        .and.not.match(/\n\s+at /)
    })
  }

  it('prints the same help for `help keys issue` as for `keys issue --help`', async () => {
    const [help, option] = await Promise.all([
      folder.run(['help', 'keys', 'issue'], { cwd: folder.cwd }),
      folder.run(['keys', 'issue', '--help'], { cwd: folder.cwd }),
    ])
    expect(help).to.deep.equal(option)
    expect((await folder.run(['help'], { cwd: folder.cwd })).out).to.equal(
      (await folder.run(['--help'], { cwd: folder.cwd })).out,
    )
  })
})
