import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { parseJson } from './parse-json.ts'
import { explainServerError, toFaultError, toRpcError } from './rpc-errors.ts'

const Envelope = responseSchema(
  Type.Object({
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(Type.Object({ data: Type.Object({ name: Type.String(), message: Type.String() }) })),
  }),
)

/** Calls a function of one of Odoo's services. If the function returns `null`, the response has no `result`. */
export async function callService(
  client: HttpClient,
  service: string,
  method: string,
  args: unknown[],
  title: string,
  call: Call,
) {
  const body = { jsonrpc: '2.0', method: 'call', id: 1, params: { service, method, args } }
  const response = await client.send({ method: 'POST', path: '/jsonrpc', body }, call).catch((error: unknown) => {
    throw explainServerError(title, error)
  })
  if (response.status !== 200) throw toRpcError(title, response)
  const { result, error } = Envelope.parse(parseJson(title, response.text))
  if (error) throw toFaultError(title, error.data)
  return result ?? null
}
