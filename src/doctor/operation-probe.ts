import type { Call } from '../ports/call.ts'

/** What answers have taught, for the questions that come after them. */
export interface ProbeInputs {
  skus: string[]
  now: Date
  year?: number
  make?: string
  vehicleId?: number
  customerId?: string
  email?: string
  orderId?: string
  invoiceId?: string
  /** Names of pictures, as the inventory system has them. */
  pictures: ReadonlySet<string>
  /** How many products the walk has seen. */
  sampledCount: number
}

/** What is odd about an answer that came. */
export interface ProbeFinding {
  finding: string
  remedy: string
  /** It does not only look odd: it does not work. */
  failed?: boolean
}

/** Why an operation cannot be asked. */
export interface SkippedProbe {
  result: 'not offered' | 'not tried'
  finding: string
  remedy?: string
}

/** One operation of a port, and how to ask it without changing anything. */
export interface OperationProbe<T = unknown> {
  operation: string
  prepare(known: ProbeInputs): ((call: Call) => Promise<T>) | SkippedProbe
  learn?(answer: T, known: ProbeInputs): void
  evaluate?(answer: T, known: ProbeInputs): ProbeFinding | null
  /** Nobody waits for it: it may take longer than a request. */
  isBackground?: boolean
  /** The walk over the products teaches what it asks with. */
  isAfterSampling?: boolean
}

/** Infers the answer's type for `learn` and `judge`. */
export const defineProbe = <T>(of: OperationProbe<T>): OperationProbe => of as OperationProbe

export const operationNotOffered = (operation: string, remedy?: string): SkippedProbe => ({
  result: 'not offered',
  finding: `the adapter has no ${operation} for this system`,
  ...(remedy && { remedy }),
})

export const missingInput = (what: string, remedy: string): SkippedProbe => ({
  result: 'not tried',
  finding: `no ${what} is known to ask with`,
  remedy,
})

/** How an operation that writes is told of. */
export const skippedWriteProbe = (operation: string, offered: boolean): OperationProbe =>
  defineProbe({
    operation,
    prepare: () =>
      offered
        ? { result: 'not tried', finding: 'it writes; what it needs is among the findings, if it is missing' }
        : operationNotOffered(operation),
  })

const DAY_MS = 86_400_000
/** What a feed is asked: the changes of the last days. */
export const recentChangesQuery = ({ now }: ProbeInputs, days = 1) => ({
  since: new Date(now.getTime() - days * DAY_MS).toISOString(),
  limit: 50,
  offset: 0,
})
