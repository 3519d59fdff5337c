import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { knownSkus } from '../../fixtures/known-skus.ts'
import { sendHttpRequest } from '../support/send-http-request.ts'
import { until } from '../support/until.ts'
import { startServerProcess } from './server-process.ts'
import { createSignedInShopper } from './signed-in-shopper.ts'

const MAX_TRIES = 5

/** Leaves the process no file descriptor for anything new. Returns a function that undoes it. */
async function takeFileDescriptors(pid: number): Promise<() => Promise<unknown>> {
  const used = new Set((await readdir(`/proc/${pid}/fd`)).map(Number))
  let free = 0
  while (used.has(free)) free += 1
  const limit = (files: number) => promisify(execFile)('prlimit', ['--pid', String(pid), `--nofile=${files}:`])
  await limit(free)
  return () => limit(4_096)
}

describe('a server without file descriptors', () => {
  it('finishes checkouts on open connections, and accepts new ones when it has some again', async () => {
    await using server = await startServerProcess()
    const shopper = await createSignedInShopper(server)
    const line = { sku: knownSkus.inStock, quantity: 1 }
    const checkOut = (cart_id: string) =>
      shopper.ask('POST', '/v1/checkout', { cart_id, payment_method: 'CASH_ON_DELIVERY' })
    expect((await checkOut(await shopper.createCart(line))).body).to.include({ state: 'placed' })
    // A checkout on a busy machine may need more connections at once than the one before it has opened, so it gets a few tries.
    const checkOutWithoutFileDescriptors = async () => {
      const cart = await shopper.createCart(line)
      const giveBack = await takeFileDescriptors(server.pid)
      const strangers = Array.from({ length: 50 }, () => sendHttpRequest(server.address, '/livez').catch(() => null))
      const { body } = await checkOut(cart)
      await giveBack()
      await Promise.all(strangers)
      return body.state === 'placed'
    }
    for (let tries = 1; !(await checkOutWithoutFileDescriptors()); tries++) expect(tries).to.be.below(MAX_TRIES)
    await until(
      'it answers strangers',
      async () => (await sendHttpRequest(server.address, '/livez').catch(() => null))?.status === 200,
    )
  })
})
