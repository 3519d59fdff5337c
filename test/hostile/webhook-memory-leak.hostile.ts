import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'

describe('webhook deliveries', () => {
  it('leave nothing in memory', async () => {
    const soak = resolve(import.meta.dirname, 'webhook-soak.ts')
    const child = spawn(process.execPath, ['--expose-gc', soak, '--good', '--batches', '24'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    expect(code, output).to.equal(0)
  })
})
