import type { Static, TObject, TSchema } from 'typebox'
import type { CommandDependencies } from '../commands/command-context.ts'
import type { MerchantConfig } from '../config/config.ts'
import type { ProblemCode } from '../errors.ts'
import type { SectionError, SectionTrace } from '../sections/section.ts'
import type { Database } from '../storage/database.ts'
import type { ApiKey } from '../storage/keys/api-keys.ts'
import type { BackOffice } from '../upstream/back-office.ts'
import type { RequestScope } from '../upstream/request-scope.ts'

export interface RouteInputs {
  params?: TObject
  query?: TObject
  body?: TSchema
  /** The body may be left out. */
  bodyOptional?: true
}

type Read<S> = S extends TSchema ? Static<S> : Record<never, never>

/** One call, after all checks: who asks, what for, and the back office that may answer. */
export interface ApiRequest<I extends RouteInputs = RouteInputs> {
  params: Read<I['params']>
  query: Read<I['query']>
  body: Read<I['body']> | (I['bodyOptional'] extends true ? undefined : never)
  principal: ApiKey
  merchant: MerchantConfig
  backOffice: BackOffice
  /** The shopper's customer in the back office; `null` for an anonymous read. */
  customerId: string | null
  requestScope: RequestScope
  commerce: CommandDependencies
  /** Whose request it is: a browser's own address, or the one that a server names for its shopper; `null`: it names none. */
  clientAddress: string | null
  /** The versions that `If-Match` names; `null`: any. */
  ifMatch: string | null
  /** The request's Idempotency-Key, when it has one and the route takes it. */
  once: IdempotencyHandle | null
}

/** A request that must not act twice. A write marks it in its own transaction; asked again, what is marked is not done again. */
export interface IdempotencyHandle {
  /** What the write left when it was done before, by a request that never got its answer. */
  readonly applied: unknown
  mark(transaction: Database, applied: unknown): Promise<void>
  /** Stores the answer together with what it tells of. */
  done(transaction: Database, status: number, body: object): Promise<void>
  /** This answer is not kept: asked again, the request is looked at anew. */
  forget(): void
}

export interface ApiResponse {
  body: object
  errors: readonly SectionError[]
  traces: readonly SectionTrace[]
  /** 200, when it is not said. */
  status?: number
  headers?: Record<string, string>
}

/** How an answer may be kept, here and by its reader; `none`: neither. */
export type RouteCaching = 'catalog' | 'availability' | 'none'

export interface Route<I extends RouteInputs = RouteInputs> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:name` for a parameter. */
  path: string
  operationId: string
  summary: string
  tag: string
  /** `null`: any valid key. */
  scope: string | null
  input: I
  /** `null`: an answer without a body, 204. */
  response: TSchema | null
  /** Of the usual answer; 200 when it is not said. */
  status?: 200 | 201 | 202 | 204
  /** Other good answers, by status. */
  alternatives?: Readonly<Record<number, TSchema>>
  /** Refusals that this call may give beside those that every call may, and the members of their bodies beside a problem's. */
  problems?: readonly ProblemCode[]
  problemMembers?: Readonly<Record<string, TSchema>>
  /** A shopper token is needed, not only judged. */
  needsShopper?: boolean
  /** Takes an Idempotency-Key. */
  idempotent?: boolean
  /** The answer tells a secret: kept for its Idempotency-Key, it is kept sealed. */
  secretAnswer?: boolean
  /** Asks the store alone, never a back office. */
  local?: boolean
  /** What was sent is not echoed in a 422. */
  secretInput?: boolean
  /** For a call that may take longer than others, from its arrival to its answer. */
  deadlineMs?: number
  caching: RouteCaching
  /** The sections of the answer: without a required one there is none. Shown in OpenAPI. */
  sections?: { required: readonly string[]; optional: readonly string[] }
  answer(question: ApiRequest<I>): Promise<ApiResponse>
}

/** Declares a route, so that its handler is typed by its schemas. */
export function defineRoute<I extends RouteInputs>(declared: Route<I>): Route {
  return declared as unknown as Route
}

/** An answer that has no sections. */
export const jsonResponse = (body: object, status = 200, headers: Record<string, string> = {}): ApiResponse => ({
  ...{ body, errors: [], traces: [] },
  ...{ status, headers },
})
