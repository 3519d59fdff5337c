import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../src/storage/database.ts'
import { createWebhookSender } from '../../src/webhooks/sender.ts'
import { until } from '../support/until.ts'
import { createDeliveryFixture } from '../webhooks/dispatcher-fixture.ts'

// Delivers events to good and bad endpoints. After each batch it collects garbage and prints, as a line of JSON, what is still in memory.
// Needs --expose-gc. Ends after so many batches, or after so many minutes. Fails if memory grew with the events.

const EVENTS_PER_BATCH = 100
const GOOD = ['quick 0', 'quick 1', 'slow', 'closing']
const BAD = ['failing', 'resetting', 'redirecting', 'hanging', 'failing at times', 'resetting at times']
/** An event's body is longer than this, so a body that stays in memory is well above the limit. */
const DATA_BYTES = 2_000
const MAX_GROWTH_PER_EVENT = 1_500

/** `--good`: only endpoints that respond, so that no send is under way when memory is measured. */
const { values } = parseArgs({
  options: { batches: { type: 'string' }, good: { type: 'boolean' }, minutes: { type: 'string', default: '60' } },
})

async function collectGarbage(): Promise<void> {
  for (let pass = 0; pass < 3; pass++) {
    globalThis.gc!()
    await nextTurn()
  }
}

async function runSoak(isOver: (batches: number) => boolean): Promise<number[]> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-soak-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const endpoints = fork(resolve(import.meta.dirname, 'webhook-soak-endpoints.ts'), { execArgv: [] })
  stack.defer(() => void endpoints.disconnect())
  const [address] = (await once(endpoints, 'message')) as [string]
  const db = await openDatabase(`sqlite:${join(directory, 'forecourt.db')}`)
  stack.defer(() => db.destroy())
  const sender = stack.use(createWebhookSender({ rules: { ports: [443], allow: ['127.0.0.1'] }, now: Date.now }))
  const fixture = createDeliveryFixture(db)
  stack.use(fixture.dispatcher({ send: sender.send, now: Date.now, intervalMs: 20 }))
  for (const name of values.good ? GOOD : [...GOOD, ...BAD])
    await fixture.subscribe(name.replaceAll(' ', ''), { endpoint_url: `${address}${encodeURIComponent(name)}` })

  const samples: number[] = []
  for (let batch = 0; !isOver(batch); batch++) {
    await deliverBatch(fixture, batch)
    await collectGarbage()
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    samples.push(arrayBuffers + heapUsed)
    process.stdout.write(`${JSON.stringify({ events: (batch + 1) * EVENTS_PER_BATCH, arrayBuffers, heapUsed })}\n`)
  }
  return samples
}

/** Resolves when the good endpoints have all events. */
async function deliverBatch(fixture: ReturnType<typeof createDeliveryFixture>, batch: number): Promise<void> {
  const data = { text: 'x'.repeat(DATA_BYTES) }
  fixture.clock = Date.now()
  for (let i = 0; i < EVENTS_PER_BATCH; i++)
    await fixture.addEvent({ resource: { type: 'order', id: `${batch} ${i}` }, data })
  const good = GOOD.map((name) => `whk_${name.replaceAll(' ', '')}`)
  const waiting = fixture.db.selectFrom('deliveries').select('delivery_id').where('status', '=', 'PENDING')
  await until('the good endpoints have the events', async () => {
    return (await waiting.where('subscription_id', 'in', good).limit(1).execute()).length === 0
  })
}

/**
 * Compares the least of the last third with the most of the first: a third of the events lies between them. Sends under way, mostly to bad
 * endpoints, add to each sample, and must not count as growth.
 */
function computeGrowthPerEvent(samples: readonly number[]): number {
  const third = Math.floor(samples.length / 3)
  const growth = Math.min(...samples.slice(-third)) - Math.max(...samples.slice(0, third))
  return Math.round(growth / (third * EVENTS_PER_BATCH))
}

const endsAt = Date.now() + Number(values.minutes) * 60_000
const samples = await runSoak((batch) => (values.batches ? batch === Number(values.batches) : Date.now() > endsAt))
const growth = computeGrowthPerEvent(samples)
process.stdout.write(`${growth} bytes per event stay in memory; at most ${MAX_GROWTH_PER_EVENT} may\n`)
process.exit(growth > MAX_GROWTH_PER_EVENT ? 1 : 0)
