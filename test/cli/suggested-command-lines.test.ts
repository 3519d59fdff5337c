import { resolve } from 'node:path'
import { expect } from 'chai'
import { formatDemoCommand, formatListenCommand, formatSandboxCommand } from '../../src/cli/suggested-command-lines.ts'

describe('the command lines in hints', () => {
  const here = resolve('data')

  it('need no options for the defaults', () => {
    expect(formatListenCommand('http://127.0.0.1:8080', here)).to.equal('node src/bin/forecourt.js webhooks listen')
    expect(formatSandboxCommand(8_091, here)).to.equal('node src/bin/forecourt.js sandbox')
    expect(formatDemoCommand({ port: 8_080, firstPort: 8_091, dataDirectory: here })).to.equal(
      'node src/bin/forecourt.js demo',
    )
  })

  it('name everything that is not the default', () => {
    expect(formatListenCommand('http://127.0.0.1:28080', '/srv/shop')).to.equal(
      'FORECOURT_DATA=/srv/shop node src/bin/forecourt.js webhooks listen --api http://127.0.0.1:28080',
    )
    expect(formatSandboxCommand(28_091, "/srv/my 'shop'")).to.equal(
      "FORECOURT_DATA='/srv/my '\\''shop'\\''' node src/bin/forecourt.js sandbox --sandbox-port 28091",
    )
    expect(formatDemoCommand({ port: 8_180, firstPort: 8_291, dataDirectory: '/srv/shop' })).to.equal(
      'FORECOURT_DATA=/srv/shop PORT=8180 node src/bin/forecourt.js demo --sandbox-port 8291',
    )
  })

  it('name an address that clients can connect to', () => {
    expect(formatListenCommand('http://0.0.0.0:8080', here)).to.equal('node src/bin/forecourt.js webhooks listen')
  })
})
