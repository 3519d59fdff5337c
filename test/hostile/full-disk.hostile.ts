import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { knownSkus } from '../../fixtures/known-skus.ts'
import { type Reply, sendHttpRequest } from '../support/send-http-request.ts'
import { until } from '../support/until.ts'
import { startServerProcess } from './server-process.ts'
import { createSignedInShopper } from './signed-in-shopper.ts'

/** Mounts a small disk, for which this account must be root. `null`: it may not. */
function mountSmallDisk(): (Disposable & { path: string; fill(): void; empty(): void }) | null {
  const path = mkdtempSync(join(tmpdir(), 'forecourt-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    rmdirSync(path)
    return null
  }
  const filler = join(path, 'filler')
  return {
    path,
    fill() {
      for (let bytes = 1_048_576; bytes >= 1; )
        try {
          appendFileSync(filler, Buffer.alloc(bytes))
        } catch {
          bytes /= 16
        }
    },
    empty: () => rmSync(filler, { force: true }),
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', path])
      rmdirSync(path)
    },
  }
}

describe('a server whose store and log are on a full disk', () => {
  it('loses nothing that it has answered, and orders again when there is room', async function () {
    using disk = mountSmallDisk()
    if (!disk) return this.skip()
    const store = join(disk.path, 'forecourt.db')
    const log = join(disk.path, 'forecourt.log')
    await using server = await startServerProcess({ config: { store: `sqlite:${store}`, log: { file: log } } })
    const shopper = await createSignedInShopper(server, store)
    const answered: string[] = []
    const order = async (): Promise<Reply> => {
      const created = await shopper.ask('POST', '/v1/carts')
      if (created.status !== 201) return created
      answered.push(created.body.cart_id)
      const lines = `/v1/carts/${created.body.cart_id}/lines`
      const added = await shopper.ask('POST', lines, { sku: knownSkus.inStock, quantity: 1 })
      if (added.status !== 200) return added
      const checkout = { cart_id: created.body.cart_id, payment_method: 'CASH_ON_DELIVERY' }
      return shopper.ask('POST', '/v1/checkout', checkout)
    }
    expect((await order()).body.state).to.equal('placed')
    disk.fill()
    await until('orders are refused', async () => {
      const { status, body } = await order()
      expect([200, 503], JSON.stringify(body)).to.include(status)
      if (status === 503) expect(body.code).to.equal('store_unavailable')
      return status === 503
    })
    await until(
      'it says so',
      async () => (await sendHttpRequest(server.address, '/health')).body.checks.store.status === 'down',
    )
    disk.empty()
    await until('it orders again', async () => (await order()).body.state === 'placed')
    for (const id of answered) expect((await shopper.ask('GET', `/v1/carts/${id}`)).status).to.equal(200)
    await until(
      'it says so',
      async () => (await sendHttpRequest(server.address, '/health')).body.checks.store.status === 'ok',
    )
    // The log is written in the background.
    await until('the log says so', async () => (await readFile(log, 'utf8')).includes('the store is available again'))
    expect(await readFile(log, 'utf8')).to.include('"reason":"the disk is full"')
    return undefined
  })
})
