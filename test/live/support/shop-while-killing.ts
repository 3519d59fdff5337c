import { setTimeout as pause } from 'node:timers/promises'
import type { ApiServerProcess } from '../../crash/api-server-process.ts'
import { type CheckoutVisit, runCheckoutVisit, type Shopper } from '../../crash/checkout-visit.ts'
import type { SeededRandom } from '../../crash/seeded-random.ts'
import { sendHttpRequest } from '../../support/send-http-request.ts'
import type { ForecourtProcess } from './forecourt-process.ts'
import type { LossyProxy } from './lossy-proxy.ts'
import type { OrderComparison } from './order-comparison.ts'
import { waitUntil } from './wait-until.ts'

/** The faults of a share of the calls: the response is lost, or already the request. */
const LOST_OF_STEPS = 0.08
const LOST_OF_OTHERS = 0.01

export interface KillPlan {
  shop: ForecourtProcess
  proxy: LossyProxy
  shoppers: readonly Shopper[]
  random: SeededRandom
  skus: readonly string[]
  /** There are at least so many checkouts, and so many kills of Forecourt. */
  checkouts: number
  kills: number
  shoppersAtOnce: number
  /** The methods of a back office that create and confirm an order, by which kills are paced. */
  stepMethods: readonly string[]
  /** The maximum number of order steps between two kills: a pace relative to the machine. */
  stepsBetweenKills: number
  /** Kills something besides Forecourt, at a share of the kills. */
  killElsewhere?: (() => Promise<void>) | undefined
  /** True when `killElsewhere` has killed enough; default: always. */
  isElsewhereDone?: () => boolean
}

export const killsOf = ({ servers }: { servers: readonly ApiServerProcess[] }) =>
  servers.reduce((sum, { kills }) => sum + kills, 0)

/** Returns the fates of exchanges: those of order steps are lost more often than others. */
export function loseExchanges(
  random: SeededRandom,
  isStep: (method: string) => boolean,
  lostOfSteps = LOST_OF_STEPS,
): LossyProxy['fate'] {
  return (method) => {
    const chance = random.next()
    const share = isStep(method) ? lostOfSteps : LOST_OF_OTHERS
    if (chance >= share) return 'well'
    return chance < share / 4 ? 'not sent' : 'answer lost'
  }
}

/** Lets shoppers check out while processes are killed, and returns their visits. */
export async function shopWhileKilling(plan: KillPlan): Promise<CheckoutVisit[]> {
  const { shop, proxy, shoppers, random, skus } = plan
  const { servers } = shop
  const visits: CheckoutVisit[] = []
  const counter = { address: () => random.of(servers).address, key: shop.keys.secret, random, skus }
  let done = false

  async function shopping(): Promise<void> {
    while (visits.length < plan.checkouts || killsOf(shop) < plan.kills || !(plan.isElsewhereDone?.() ?? true))
      visits.push(await runCheckoutVisit(counter, random.of(shoppers)))
  }
  async function killing(): Promise<void> {
    const waitForSteps = (more: number) => waitForMoreSteps(proxy, plan.stepMethods, more, () => done)
    while (!done) {
      await waitForSteps(random.between(2, plan.stepsBetweenKills))
      // Half of the kills happen while the back office works on a step, or just after it responded.
      if (random.next() < 0.5) await waitForSteps(1)
      await pause(random.between(0, 400))
      if (done) break
      if (plan.killElsewhere && random.next() < 0.5) await plan.killElsewhere()
      else await random.of(servers).kill()
    }
  }

  const beside = killing()
  try {
    const shopped = Promise.all(Array.from({ length: plan.shoppersAtOnce }, shopping))
    await Promise.race([shopped, beside.then(() => shopped)])
  } finally {
    done = true
    await beside
  }
  return visits
}

/** Waits until this many more order steps have reached the back office. */
async function waitForMoreSteps(
  { calls }: LossyProxy,
  methods: readonly string[],
  more: number,
  isOver: () => boolean,
): Promise<void> {
  const count = () => methods.reduce((sum, method) => sum + (calls.get(method) ?? 0), 0)
  const end = count() + more
  while (count() < end && !isOver()) await pause(2)
}

/** Waits until no circuit of any process is open any more. */
export async function waitForClosedCircuits({ servers }: ForecourtProcess): Promise<void> {
  const readHealth = () => Promise.all(servers.map(({ address }) => sendHttpRequest(address, '/health')))
  await waitUntil(
    'all circuits are closed',
    async () => (await readHealth()).every(({ body }) => body.status === 'ok'),
    async () => JSON.stringify((await readHealth()).map(({ body }) => body.checks)),
  )
}

/** Describes a finished run in one line. */
export function describeRun(of: {
  seconds: number
  settledSeconds: number
  visits: readonly CheckoutVisit[]
  proxy: LossyProxy
  shop: ForecourtProcess
  found: OrderComparison
}): string {
  const { seconds, settledSeconds, visits, proxy, shop, found } = of
  const { ordered, rows } = found
  return (
    `      ${visits.length} checkouts in ${seconds.toFixed(0)} s (${(visits.length / seconds).toFixed(2)} a second, settled after ${settledSeconds.toFixed(0)} s) ` +
    `by ${shop.servers.length} process(es) with ${killsOf(shop)} kills and ${proxy.lost} lost exchanges: ` +
    `${ordered.length} orders, ${rows.length - ordered.length} rejected\n`
  )
}
