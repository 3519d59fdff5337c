import { randomBytes } from 'node:crypto'
import { goBetween } from '../../support/fault-proxy.ts'
import type { Fact, Subject, Way } from './subject.ts'
import type { Bench, Duty, Whole } from './requirement.ts'
import { type Operation, offered } from './operations.ts'

/** What is known beforehand of an adapter and of the merchant behind it; held against what is there. */
export interface Declared {
  /** The operations that the adapter has. One that it loses fails the suite. */
  offers: readonly Operation[]
  /** What the merchant behind cannot show. A fact that is neither here nor there fails the suite. */
  unexamined: readonly Fact[]
  /** Operations that read lists for all who ask: when one caller leaves, the reading goes on for the next. */
  shares?: readonly Operation[]
}

const isOperation = (need: Operation | Fact): need is Operation => need.includes('.') && !need.startsWith('clerk.')

/** What a duty needs and the adapter does not offer. */
export const notOffered = ({ needs }: Duty, { offers }: Pick<Declared, 'offers'>): Operation[] =>
  needs.filter(isOperation).filter((need) => !offers.includes(need))

/** What a duty needs and the merchant does not show. */
export const notShown = ({ needs }: Duty, { unexamined }: Pick<Declared, 'unexamined'>): Fact[] =>
  needs.filter((need): need is Fact => !isOperation(need)).filter((need) => unexamined.includes(need))

export const isExamined = (duty: Duty, declared: Declared): boolean =>
  notOffered(duty, declared).length === 0 && notShown(duty, declared).length === 0

/** What the duties of such an adapter need to know of its merchant, and this subject does not. */
export function unknown({ facts, clerk = {} }: Subject, duties: readonly Duty[], offers: readonly Operation[]): Fact[] {
  const needed = duties.filter((duty) => notOffered(duty, { offers }).length === 0).flatMap(({ needs }) => needs)
  const known = new Set<string>([
    ...Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    ...Object.keys(clerk).map((act) => `clerk.${act}`),
  ])
  return [...new Set(needed)].filter((need): need is Fact => !isOperation(need)).filter((need) => !known.has(need))
}

/** The subject with all that duties are examined with. `spoilt` may break what the adapter does. */
export async function benchOf(
  subject: Subject,
  { shares = [], patienceMs = 30_000 }: Pick<Declared, 'shares'> & Partial<Pick<Bench, 'patienceMs'>> = {},
  spoilt: (ports: Whole) => Whole = (ports) => ports,
): Promise<Bench & AsyncDisposable> {
  const run = randomBytes(4).toString('hex')
  const between = await goBetween()
  const connect = (way: Way = (address) => address) => {
    const ports = subject.connect(way)
    return { ...spoilt(ports as Whole), [Symbol.asyncDispose]: () => ports[Symbol.asyncDispose]() }
  }
  const ports = connect()
  let last = 0
  return {
    ...ports,
    facts: subject.facts as Bench['facts'],
    clerk: (subject.clerk ?? {}) as Bench['clerk'],
    offers: offered(ports),
    ...{ shares, between, connect, patienceMs },
    reference() {
      last += 1
      return `ord_${run}x${last}`
    },
    async [Symbol.asyncDispose]() {
      await ports[Symbol.asyncDispose]()
      await between[Symbol.asyncDispose]()
    },
  }
}
