import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openControlSocket, requestReload, toControlPath } from '../../../src/runtime/workers/control-socket.ts'

describe('the control socket of a server', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'control-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const reply = { ok: false, message: 'forecourt.yaml has 1 mistake' }

  it('answers a reload with its outcome, to this account alone', async () => {
    const path = toControlPath(folder, 8080)
    await using _ = (await openControlSocket(path, async () => reply))!
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    expect(await requestReload(path)).to.deep.equal(reply)
  })

  it('makes the data folder, where nothing else has', async () => {
    const path = toControlPath(join(folder, 'data'), 8080)
    await using _ = (await openControlSocket(path, async () => reply))!
    expect(statSync(join(folder, 'data')).mode & 0o777).to.equal(0o700)
    expect(await requestReload(path)).to.deep.equal(reply)
  })

  it('takes the place of the socket of a server that was killed, but not of one that runs', async () => {
    const path = toControlPath(folder, 8080)
    await using _ = (await openControlSocket(path, async () => reply))!
    expect(await openControlSocket(path, async () => reply)).to.equal(null)
    expect(await requestReload(toControlPath(folder, 8180))).to.equal(null)
  })

  it('closes a connection that sends anything else', async () => {
    const path = toControlPath(folder, 8080)
    let reloads = 0
    await using _ = (await openControlSocket(path, async () => {
      reloads += 1
      return reply
    }))!
    const received = await new Promise<string>((resolve) => {
      let text = ''
      const socket = createConnection(path, () => socket.write('x'.repeat(100)))
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', () => {}).on('close', () => resolve(text))
    })
    expect([received, reloads]).to.deep.equal(['', 0])
  })

  it('is left out where its path is too long', async () => {
    expect(await openControlSocket(join(folder, 'x'.repeat(100)), async () => reply)).to.equal(null)
  })
})
