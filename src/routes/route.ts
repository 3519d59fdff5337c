import type { Static, TObject, TSchema } from 'typebox'
import type { MerchantConfig } from '../config.ts'
import type { SectionError, SectionTrace } from '../sections.ts'
import type { ApiKey } from '../storage/keys.ts'
import type { Asking } from '../upstream/asking.ts'
import type { BackOffice } from '../upstream/back-office.ts'

export interface Inputs {
  params?: TObject
  query?: TObject
  body?: TSchema
}

type Read<S> = S extends TSchema ? Static<S> : Record<never, never>

/** One call, after all checks: who asks, what for, and the back office that may answer. */
export interface Question<I extends Inputs = Inputs> {
  params: Read<I['params']>
  query: Read<I['query']>
  body: Read<I['body']>
  principal: ApiKey
  merchant: MerchantConfig
  office: BackOffice
  /** The shopper's customer in the back office; `null` for an anonymous read. */
  customerId: string | null
  asking: Asking
}

export interface Answer {
  body: object
  errors: readonly SectionError[]
  traces: readonly SectionTrace[]
}

/** How an answer may be kept, here and by its reader; `none`: neither. */
export type Caching = 'catalog' | 'availability' | 'none'

export interface Route<I extends Inputs = Inputs> {
  method: 'GET' | 'POST'
  /** With `:name` for a parameter. */
  path: string
  operationId: string
  summary: string
  tag: string
  /** `null`: any valid key. */
  scope: string | null
  input: I
  response: TSchema
  caching: Caching
  /** The sections of the answer: without a required one there is none. Shown in OpenAPI. */
  sections?: { required: readonly string[]; optional: readonly string[] }
  answer(question: Question<I>): Promise<Answer>
}

/** Declares a route, so that its handler is typed by its schemas. */
export function route<I extends Inputs>(declared: Route<I>): Route {
  return declared as unknown as Route
}

/** An answer that has no sections. */
export const plain = (body: object): Answer => ({ body, errors: [], traces: [] })
