import { expect } from 'chai'
import type { WebhookEndpoint } from '../../src/storage/webhooks/subscription-endpoints.ts'
import {
  createEndpointQueues,
  defaultEndpointQueueLimits,
  type EndpointQueue,
  type ReadyDelivery,
} from '../../src/webhooks/endpoint-queues.ts'

const endpointOf = (subscription_id: string, isHealthy: boolean) =>
  ({
    subscription_id,
    status: 'ACTIVE',
    consecutive_failures: 0,
    exhausted: 0,
    failing_since: null,
    last_success_at: isHealthy ? '2026-01-01T00:00:00.000Z' : null,
  }) as WebhookEndpoint

describe('the endpoint queues', () => {
  let clock: number
  const createQueues = () => {
    clock = 0
    return createEndpointQueues(defaultEndpointQueueLimits, () => clock)
  }
  const fill = (
    queues: ReturnType<typeof createQueues>,
    ids: readonly string[],
    isHealthy: boolean,
    count = 100,
  ): EndpointQueue[] =>
    ids.map((subscription_id) => {
      const queue = queues.upsert(endpointOf(subscription_id, isHealthy))
      queues.add(
        queue,
        Array.from({ length: count }, () => ({ subscription_id }) as ReadyDelivery),
      )
      return queue
    })
  const startAll = (queues: ReturnType<typeof createQueues>) => {
    const started: NonNullable<ReturnType<typeof queues.next>>[] = []
    for (let next = queues.next(); next; next = queues.next()) started.push(next)
    return started
  }
  const names = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

  it('start with four sends to each endpoint, in turn', () => {
    const queues = createQueues()
    fill(queues, ['a', 'b'], true)
    const order = startAll(queues).map(({ delivery }) => delivery.subscription_id)
    expect(order).to.deep.equal(['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'])
  })

  it('allow one more send with each success up to 32, and half as many with each failure down to one', () => {
    const queues = createQueues()
    const [queue] = fill(queues, ['a'], true) as [EndpointQueue]
    for (let i = 0; i < 60; i++) queues.next()?.end(true)
    expect(queue.sendLimit).to.equal(32)
    const sendLimits = [1, 2, 3, 4, 5, 6].map(() => {
      queues.next()!.end(false)
      return queue.sendLimit
    })
    expect(sendLimits).to.deep.equal([16, 8, 4, 2, 1, 1])
    expect(startAll(queues)).to.have.lengthOf(1)
  })

  it('give at most half of the sends to new and failing endpoints', () => {
    const queues = createQueues()
    fill(queues, names(200, 'new'), false)
    expect(startAll(queues)).to.have.lengthOf(128)
    fill(queues, ['good'], true)
    expect(startAll(queues).map(({ delivery }) => delivery.subscription_id)).to.include('good')
  })

  it('serve an endpoint while many healthy ones begin to hang at once', () => {
    const queues = createQueues()
    for (const queue of fill(queues, names(60, 'hung'), true)) queue.sendLimit = 32
    const held = startAll(queues).length
    expect(held).to.be.below(256)
    fill(queues, ['good'], true)
    expect(startAll(queues).map(({ delivery }) => delivery.subscription_id)).to.include('good')
  })

  it('send nothing more to a stalled endpoint until it responds', () => {
    const queues = createQueues()
    const [queue] = fill(queues, ['a'], true) as [EndpointQueue]
    const first = queues.next()!
    clock += defaultEndpointQueueLimits.stalledMs
    expect(queues.next()).to.equal(null)
    expect(queues.freeCapacity(queue)).to.equal(0)
    first.end(true)
    expect(queues.next()).to.not.equal(null)
  })

  it('never exceed the limits of sends and leases', () => {
    const queues = createQueues()
    const many = fill(queues, names(300, 'good'), true, 2)
    expect(startAll(queues)).to.have.lengthOf(256)
    const [queue] = fill(queues, ['greedy'], true, 0) as [EndpointQueue]
    expect(queues.freeCapacity(queue)).to.equal(128)
    for (const other of many)
      queues.add(
        other,
        Array.from({ length: 7 }, () => ({}) as ReadyDelivery),
      )
    expect(queues.freeCapacity(queue)).to.equal(0)
  })

  it('lease ahead for healthy endpoints only', () => {
    const queues = createQueues()
    const [good] = fill(queues, ['good'], true, 0) as [EndpointQueue]
    const [unknown] = fill(queues, ['new'], false, 0) as [EndpointQueue]
    expect([queues.freeCapacity(good), queues.freeCapacity(unknown)]).to.deep.equal([128, 4])
  })
})
