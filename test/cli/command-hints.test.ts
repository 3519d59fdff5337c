import { resolve } from 'node:path'
import { expect } from 'chai'
import { listenCommand, reachable, sandboxCommand } from '../../src/cli/command-hints.ts'

describe('a command to be typed in another terminal', () => {
  const here = resolve('data')

  it('is bare where everything is as usual', () => {
    expect(listenCommand('http://127.0.0.1:8080', here)).to.equal('npx forecourt webhooks listen')
    expect(sandboxCommand(8_091, here)).to.equal('npx forecourt sandbox')
  })

  it('names what is not', () => {
    expect(listenCommand('http://127.0.0.1:28080', '/srv/shop')).to.equal(
      'FORECOURT_DATA=/srv/shop npx forecourt webhooks listen --api http://127.0.0.1:28080',
    )
    expect(sandboxCommand(28_091, "/srv/my 'shop'")).to.equal(
      "FORECOURT_DATA='/srv/my '\\''shop'\\''' npx forecourt sandbox --sandbox-port 28091",
    )
  })

  it('names an address that can be called', () => {
    expect(listenCommand('http://0.0.0.0:8080', here)).to.equal('npx forecourt webhooks listen')
    expect(reachable('::', 9_000)).to.equal('http://127.0.0.1:9000')
    expect(reachable('::1', 9_000)).to.equal('http://[::1]:9000')
  })
})
