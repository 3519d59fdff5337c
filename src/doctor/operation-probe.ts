import type { Call } from '../ports/call.ts'
import type { Category, Tag } from '../ports/inventory.ts'

/** The arguments for probes, collected from the results of earlier ones. */
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
  /** The `source` of every picture that products named so far. */
  pictures: ReadonlySet<string>
  sampledCount: number
  categories?: readonly Category[]
  tags?: readonly Tag[]
}

/** A problem with the result of a successful call. */
export interface ProbeFinding {
  finding: string
  remedy: string
  /** The operation does not work; otherwise the finding is a warning. */
  failed?: boolean
}

/** The reason why an operation is not called. */
export interface SkippedProbe {
  result: 'not offered' | 'not tried'
  finding: string
  remedy?: string
}

/** One operation of a port, and how to call it without changing anything. */
export interface OperationProbe<T = unknown> {
  operation: string
  prepare(inputs: ProbeInputs): ((call: Call) => Promise<T>) | SkippedProbe
  /** Adds to the inputs of later probes. */
  learn?(result: T, inputs: ProbeInputs): void
  evaluate?(result: T, inputs: ProbeInputs): ProbeFinding | null
  /** No request waits for the operation: it may take longer. */
  isBackground?: boolean
  /** It needs inputs from the sampled products. */
  isAfterSampling?: boolean
}

/** Infers the result's type for `learn` and `evaluate`. */
export const defineProbe = <T>(probe: OperationProbe<T>): OperationProbe => probe as OperationProbe
