import type { CommandDependencies } from '../commands/command-context.ts'
import type { MerchantConfig } from '../config/merchant-config.ts'
import { Problem } from '../errors.ts'
import type { Tenant } from '../tenant.ts'
import type { BackOffice } from '../upstream/back-office.ts'
import type { RequestScope } from '../upstream/request/request-scope.ts'
import { shopperAddressOf } from './access/shopper-client-address.ts'
import type { Context } from './context.ts'
import type { ApiRequest, Route } from './route.ts'
import { readSandboxFaults } from './sandbox-fault-header.ts'

export interface UpstreamLookup {
  /** Returns one merchant's systems in one mode; `null` for a sandbox that is off. */
  forTenant(tenant: Tenant): { merchant: MerchantConfig; backOffice: BackOffice } | null
}

export interface RouteRequestDeps {
  upstreams: UpstreamLookup
  commerce: CommandDependencies
}

/** One request to a route, and the key of its response in the cache. */
export interface RouteRequest {
  route: Route
  request: Omit<ApiRequest, 'requestScope'>
  tenantKey: string
  /** Price scope, route and canonical input: with the tenant, all that the bytes of the response depend on. */
  cacheKey: string
  faults: RequestScope['faults']
}

export function toRouteRequest(ctx: Context, route: Route, { upstreams, commerce }: RouteRequestDeps): RouteRequest {
  const { key, customerId, params, query, body, mode } = ctx.state
  const { record, tenant, tenantKey } = key!
  const upstream = upstreams.forTenant(tenant)
  if (!upstream) throw new Problem('sandbox_disabled')
  return {
    route,
    request: {
      params,
      query,
      body: body as never,
      apiKey: record,
      tenant,
      merchant: upstream.merchant,
      backOffice: upstream.backOffice,
      customerId,
      commerce,
      clientAddress: shopperAddressOf(ctx),
      ifMatch: ctx.get('If-Match') || null,
      idempotency: ctx.state.idempotency ?? null,
    },
    tenantKey,
    cacheKey: `${customerId ?? ''}\n${route.operationId}\n${JSON.stringify(params)}${JSON.stringify(query)}`,
    faults: readSandboxFaults(ctx.req.headers['x-sandbox-fault'], mode),
  }
}
