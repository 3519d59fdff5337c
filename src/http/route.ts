import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TObject, TSchema } from 'typebox'
import type { CommandDependencies } from '../commands/command-context.ts'
import type { MerchantConfig } from '../config/merchant-config.ts'
import type { ProblemCode } from '../problem-types.ts'
import type { SectionError } from '../sections/section-errors.ts'
import type { SectionTrace } from '../sections/section-trace.ts'
import type { ApiKey } from '../storage/keys/api-keys.ts'
import type { Tenant } from '../tenant.ts'
import type { BackOffice } from '../upstream/back-office.ts'
import type { RequestScope } from '../upstream/request/request-scope.ts'
import type { IdempotencyHandle } from './idempotency/idempotency-handle.ts'
import type { RouteTag } from './route-tags.ts'

export type RouteInputs = { params?: TObject; query?: TObject } & (BodyInput | { [K in keyof BodyInput]?: never })

interface BodyInput {
  body: TSchema
  /** The body may be left out. */
  bodyOptional?: true
}

type Value<S> = S extends TSchema ? Static<S> : Record<never, never>

/** A request that passed every check, with what a handler needs to respond to it. */
export interface ApiRequest<I extends RouteInputs = RouteInputs> {
  params: Value<I['params']>
  query: Value<I['query']>
  body: Value<I['body']> | (I['bodyOptional'] extends true ? undefined : never)
  apiKey: ApiKey
  tenant: Tenant
  merchant: MerchantConfig
  backOffice: BackOffice
  /** The shopper's customer in the back office; `null` for an anonymous read. */
  customerId: string | null
  requestScope: RequestScope
  commerce: CommandDependencies
  /** The shopper's address: a browser's own (`unknown` when it cannot be read), or the one that a server names; `null` when the server names none. */
  clientAddress: string | null
  /** The If-Match header; `null`: any version. */
  ifMatch: string | null
  /** The request's Idempotency-Key, when it has one and the route accepts it. */
  idempotency: IdempotencyHandle | null
}

export interface ApiResponse {
  /** A text is JSON already; a Buffer is the file of a route with `file`. */
  body: object | string | Buffer
  errors: readonly SectionError[]
  traces: readonly SectionTrace[]
  /** 200 by default. */
  status?: number
  headers?: Record<string, string>
  /** A text for the header `Forecourt-Hint` about what was found. It is cached with the response. */
  hint?: string | undefined
}

/** How a response may be cached, here and by the client. */
export type RouteCaching = 'catalog' | 'availability' | 'none'

export interface Route<I extends RouteInputs = RouteInputs> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:name` for a parameter. */
  path: string
  operationId: string
  summary: string
  tag: RouteTag
  /** `null`: any valid key. */
  scope: string | null
  input: I
  /** `null`: 204, without a body; or a file, where the route has `file`. */
  response: TSchema | null
  /** The media type of a response that is a file, not JSON. */
  file?: 'application/pdf'
  /** The usual success status; 200 by default. */
  status?: 200 | 201 | 202 | 204
  /** Other success responses, by status. */
  alternatives?: Readonly<Record<number, TSchema>>
  /** Problems of this route beyond the common ones, and the extra members of their bodies. */
  problems?: readonly ProblemCode[]
  problemMembers?: Readonly<Record<string, TSchema>>
  /** Requires a shopper token; elsewhere a token is optional. */
  needsShopper?: boolean
  /** Accepts an Idempotency-Key. */
  idempotent?: boolean
  /** The response contains a secret, and is encrypted when it is stored for an Idempotency-Key. */
  hasSecretResponse?: boolean
  /** Never calls a back office. */
  readsStoreOnly?: boolean
  /** The input contains a secret, and a 422 does not echo it. */
  hasSecretInput?: boolean
  /** Replaces the default deadline. */
  deadlineMs?: number
  caching: RouteCaching
  /** The sections of the response, as OpenAPI shows them. */
  sections?: { required: readonly string[]; optional: readonly string[] }
  /** Returns a text for the header `Forecourt-Hint` about a request that is valid, but probably not what its sender wants. */
  hint?: (request: Pick<ApiRequest<I>, 'query' | 'commerce'>, headers: IncomingHttpHeaders) => string | null
  handle(request: ApiRequest<I>): Promise<ApiResponse>
}

/** Declares a route whose handler is typed by its schemas. */
export function defineRoute<I extends RouteInputs>(route: Route<I>): Route {
  return route as unknown as Route
}

/** A response without sections. */
export const jsonResponse = (body: object, status = 200, headers: Record<string, string> = {}): ApiResponse => ({
  body,
  errors: [],
  traces: [],
  status,
  headers,
})
