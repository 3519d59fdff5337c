import type { Call } from '../ports/call.ts'

/** What answers have taught, for the questions that come after them. */
export interface Known {
  skus: string[]
  now: Date
  year?: number
  make?: string
  vehicleId?: number
  customerId?: string
  mailbox?: string
  orderId?: string
  invoiceId?: string
  /** Names of pictures, as the inventory system has them. */
  pictures: ReadonlySet<string>
  /** How many products the walk has seen. */
  walked: number
}

/** What is odd about an answer that came. */
export interface Judged {
  finding: string
  remedy: string
  /** It does not only look odd: it does not work. */
  failed?: boolean
}

/** Why an operation cannot be asked. */
export interface Unasked {
  result: 'not offered' | 'not tried'
  finding: string
  remedy?: string
}

/** One operation of a port, and how to ask it without changing anything. */
export interface Question<T = unknown> {
  operation: string
  ask(known: Known): ((call: Call) => Promise<T>) | Unasked
  learn?(answer: T, known: Known): void
  judge?(answer: T, known: Known): Judged | null
  /** Nobody waits for it: it may take longer than a request. */
  background?: boolean
  /** The walk over the products teaches what it asks with. */
  afterWalk?: boolean
}

/** Infers the answer's type for `learn` and `judge`. */
export const question = <T>(of: Question<T>): Question => of as Question

export const absent = (operation: string, remedy?: string): Unasked => ({
  result: 'not offered',
  finding: `the adapter has no ${operation} for this system`,
  ...(remedy && { remedy }),
})

export const unknown = (what: string, remedy: string): Unasked => ({
  result: 'not tried',
  finding: `no ${what} is known to ask with`,
  remedy,
})

/** How an operation that writes is told of. */
export const writes = (operation: string, offered: boolean): Question =>
  question({
    operation,
    ask: () =>
      offered
        ? { result: 'not tried', finding: 'it writes; what it needs is among the findings, if it is missing' }
        : absent(operation),
  })

const DAY_MS = 86_400_000
/** What a feed is asked: the changes of the last days. */
export const recently = ({ now }: Known, days = 1) => ({
  since: new Date(now.getTime() - days * DAY_MS).toISOString(),
  limit: 50,
  offset: 0,
})
