import { Principal } from '../../contract/ping.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'

export const pingRoute = defineRoute({
  method: 'GET',
  path: '/v1/ping',
  operationId: 'ping',
  summary: 'Get the API key of this request and its scopes',
  tag: 'Diagnostics',
  scope: null,
  input: {},
  response: Principal,
  caching: 'none',
  async handle({ apiKey }) {
    return jsonResponse({
      tenant_id: apiKey.tenant_id,
      key_id: apiKey.key_id,
      key_kind: apiKey.kind === 'publishable' ? 'PUBLISHABLE' : 'SECRET',
      scopes: apiKey.scopes,
      mode: apiKey.mode,
      rate_limit_per_minute: apiKey.rate_limit_per_minute,
    })
  },
})
