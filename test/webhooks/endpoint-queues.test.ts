import { expect } from 'chai'
import type { WebhookEndpoint } from '../../src/storage/webhooks/delivery-queue.ts'
import {
  createEndpointQueues,
  defaultEndpointQueueLimits,
  type EndpointQueue,
  type ReadyDelivery,
} from '../../src/webhooks/endpoint-queues.ts'

const endpointOf = (subscription_id: string, known: boolean) =>
  ({
    ...{ subscription_id, status: 'ACTIVE', consecutive_failures: 0, exhausted: 0, failing_since: null },
    last_success_at: known ? '2026-01-01T00:00:00.000Z' : null,
  }) as WebhookEndpoint

describe('sharing the sends out', () => {
  let clock: number
  const begin = () => {
    clock = 0
    return createEndpointQueues(defaultEndpointQueueLimits, () => clock)
  }
  const fill = (
    lanes: ReturnType<typeof begin>,
    ids: readonly string[],
    known: boolean,
    count = 100,
  ): EndpointQueue[] =>
    ids.map((subscription_id) => {
      const lane = lanes.put(endpointOf(subscription_id, known))
      lanes.add(
        lane,
        Array.from({ length: count }, () => ({ subscription_id }) as ReadyDelivery),
      )
      return lane
    })
  const all = (lanes: ReturnType<typeof begin>) => {
    const begun: NonNullable<ReturnType<typeof lanes.next>>[] = []
    for (let next = lanes.next(); next; next = lanes.next()) begun.push(next)
    return begun
  }
  const names = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

  it('begins with four to each, in turn', () => {
    const lanes = begin()
    fill(lanes, ['a', 'b'], true)
    const order = all(lanes).map(({ delivery }) => delivery.subscription_id)
    expect(order).to.deep.equal(['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'])
  })

  it('gives one more with each success up to 32, and half with each failure down to one', () => {
    const lanes = begin()
    const [lane] = fill(lanes, ['a'], true) as [EndpointQueue]
    for (let i = 0; i < 60; i++) lanes.next()?.end(true)
    expect(lane.allowed).to.equal(32)
    const allowed = [1, 2, 3, 4, 5, 6].map(() => {
      lanes.next()!.end(false)
      return lane.allowed
    })
    expect(allowed).to.deep.equal([16, 8, 4, 2, 1, 1])
    expect(all(lanes)).to.have.lengthOf(1)
  })

  it('gives half of the sends to new and failing endpoints at the most, and keeps the rest for the others', () => {
    const lanes = begin()
    fill(lanes, names(200, 'new'), false)
    expect(all(lanes)).to.have.lengthOf(128)
    fill(lanes, ['good'], true)
    expect(all(lanes).map(({ delivery }) => delivery.subscription_id)).to.include('good')
  })

  it('serves an endpoint while many that were good begin to hang at once', () => {
    const lanes = begin()
    for (const lane of fill(lanes, names(60, 'hung'), true)) lane.allowed = 32
    const held = all(lanes).length
    expect(held).to.be.below(256)
    fill(lanes, ['good'], true)
    expect(all(lanes).map(({ delivery }) => delivery.subscription_id)).to.include('good')
  })

  it('sends nothing more to an endpoint that has not answered for a while, until it does', () => {
    const lanes = begin()
    const [lane] = fill(lanes, ['a'], true) as [EndpointQueue]
    const first = lanes.next()!
    clock += defaultEndpointQueueLimits.stalledMs
    expect(lanes.next()).to.equal(null)
    expect(lanes.room(lane)).to.equal(0)
    first.end(true)
    expect(lanes.next()).to.not.equal(null)
  })

  it('never has more than its sends and its leases', () => {
    const lanes = begin()
    const many = fill(lanes, names(300, 'good'), true, 2)
    expect(all(lanes)).to.have.lengthOf(256)
    const [lane] = fill(lanes, ['greedy'], true, 0) as [EndpointQueue]
    expect(lanes.room(lane)).to.equal(128)
    for (const other of many)
      lanes.add(
        other,
        Array.from({ length: 7 }, () => ({}) as ReadyDelivery),
      )
    expect(lanes.room(lane)).to.equal(0)
  })

  it('leases ahead for endpoints that do well alone', () => {
    const lanes = begin()
    const [good] = fill(lanes, ['good'], true, 0) as [EndpointQueue]
    const [unknown] = fill(lanes, ['new'], false, 0) as [EndpointQueue]
    expect([lanes.room(good), lanes.room(unknown)]).to.deep.equal([128, 4])
  })
})
