import { expect } from 'chai'
import { createProductChangeReader } from '../../../adapters/tryton/catalog/product-changes.ts'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { UpstreamError } from '../../../src/errors.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'

const at = { year: 2026, month: 3, day: 1, hour: 10, minute: 0, second: 0, microsecond: 0 }
const dates = { write_date: at, create_date: at }
const rows = [{ id: 1, code: 'A', active: true, ...dates, 'template.': dates }]
const settledYet = () => new Promise((resolve) => setImmediate(resolve))

describe('tryton: lists of changes', () => {
  let clock: number
  /** The loads in progress, which the test resolves. */
  let loads: PromiseWithResolvers<unknown>[]
  let list: ReturnType<typeof createProductChangeReader>

  beforeEach(() => {
    clock = 0
    loads = []
    const rpc = (async (_answer, method) => {
      if (method === 'ir.attachment.search_read') return []
      const load = Promise.withResolvers()
      loads.push(load)
      return load.promise
    }) as Rpc
    list = createProductChangeReader(rpc, () => clock)
  })

  /** Calls, and aborts before there is a result. */
  async function inVain(since: number, offset = 0) {
    const caller = new AbortController()
    const asked = failureOf(list(since, [], offset, createCall({ signal: caller.signal })))
    caller.abort(new UpstreamError('timeout', 'over'))
    expect((await asked).failure).to.equal('timeout')
  }

  it('load once for retries of a first page, and are cached when loaded', async () => {
    for (const _ of [1, 2, 3]) await inVain(0)
    expect(loads).to.have.length(1)
    loads[0]!.resolve(rows)
    await settledYet()
    clock = 4_900
    expect(await list(0, [], 0, createCall())).to.deep.equal(['A'])
    expect(loads).to.have.length(1)
  })

  it('are loaded again for a first page after some seconds, and later for other pages', async () => {
    const first = list(0, [], 0, createCall())
    loads[0]!.resolve(rows)
    await first
    clock = 5_000
    expect(await list(0, [], 50, createCall())).to.deep.equal(['A'])
    expect(loads).to.have.length(1)
    const again = list(0, [], 0, createCall())
    expect(loads).to.have.length(2)
    loads[1]!.resolve([])
    expect(await again).to.deep.equal([])
  })

  it('are loaded again for a repeated request once a first page was served', async () => {
    const first = list(0, [], 0, createCall())
    loads[0]!.resolve(rows)
    await first
    clock = 500
    const again = list(0, [], 0, createCall())
    expect(loads).to.have.length(2)
    loads[1]!.resolve([])
    expect(await again).to.deep.equal([])
  })

  it('load at most two at once', async () => {
    await inVain(1)
    await inVain(2)
    const third = await failureOf(list(3, [], 0, createCall()))
    expect(third).to.include({ failure: 'overloaded', retryAfterMs: 1_000 })
    expect(loads).to.have.length(2)
    loads[0]!.resolve(rows)
    await settledYet()
    await inVain(3)
    expect(loads).to.have.length(3)
  })

  it('are not cached when they fail, and free their slot', async () => {
    await inVain(1)
    const second = failureOf(list(1, [], 0, createCall()))
    loads[0]!.reject(new UpstreamError('error', 'broken'))
    expect((await second).failure).to.equal('error')
    const third = list(1, [], 0, createCall())
    loads[1]!.resolve(rows)
    expect(await third).to.deep.equal(['A'])
  })

  it('are limited in number, and a loading one is never evicted', async () => {
    await inVain(0)
    for (const since of [1, 2, 3, 4, 5]) {
      const asked = list(since, [], 0, createCall())
      loads.at(-1)!.resolve(rows)
      await asked
    }
    expect(loads).to.have.length(6)
    await inVain(0)
    await list(5, [], 0, createCall())
    expect(loads).to.have.length(6)
    const forgotten = list(1, [], 0, createCall())
    expect(loads).to.have.length(7)
    loads[6]!.resolve(rows)
    await forgotten
  })
})
