import { Principal } from '../../contract/principal.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'

export const pingRoute = defineRoute({
  method: 'GET',
  path: '/v1/ping',
  operationId: 'ping',
  summary: 'Which key this is, and what it may do',
  tag: 'Diagnostics',
  scope: null,
  input: {},
  response: Principal,
  caching: 'none',
  async answer({ principal }) {
    return jsonResponse({
      tenant_id: principal.tenant_id,
      key_id: principal.key_id,
      key_kind: principal.kind === 'publishable' ? 'PUBLISHABLE' : 'SECRET',
      scopes: principal.scopes,
      mode: principal.mode,
      rate_limit_per_minute: principal.rate_limit_per_minute,
    })
  },
})
