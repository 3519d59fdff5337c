import { forecourtCommand } from '../../installed-command-line.ts'
import { UsageError } from '../usage-error.ts'
import type { ApiTarget } from './api-target.ts'

const TIMEOUT_MS = 15_000

export interface WebhooksApiResponse {
  status: number
  body: { [member: string]: unknown; code?: string; detail?: unknown }
}

export async function callWebhooksApi(
  { address, key }: ApiTarget,
  method: string,
  path: string,
  body?: object,
): Promise<WebhooksApiResponse> {
  let response: Response
  try {
    response = await fetch(`${address}/v1/webhooks${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    throw new UsageError(
      `No API responds at ${address}. Start one with: ${forecourtCommand} demo (or name a running one with --api)`,
    )
  }
  const text = await response.text()
  try {
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
  } catch {
    throw new UsageError(`The server at ${address} is not a Forecourt API. Name one with --api`)
  }
}
