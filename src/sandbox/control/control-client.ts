import type { Fault } from './fault-injection.ts'

/** The error response of a control API. `detail` is readable text. */
export class ControlError extends Error {
  readonly status: number
  readonly code: string
  readonly detail: string

  constructor(request: string, status: number, text: string) {
    super(`the sandbox rejected ${request}: ${status} ${text}`)
    this.name = 'ControlError'
    this.status = status
    const { error = '', detail = text } = parseErrorBody(text)
    this.code = error
    this.detail = detail
  }
}

/** Replaces the fault of a system. Resolves when the fault is active. */
export async function setFault(controlAddress: string, fault: Fault): Promise<void> {
  await sendControlRequest(controlAddress, 'PUT', ['faults'], fault)
}

export async function clearFaults(controlAddress: string): Promise<void> {
  await sendControlRequest(controlAddress, 'DELETE', ['faults'])
}

/** The number of calls since the start or the last reset, by operation. */
export function readCallCounts(controlAddress: string): Promise<Record<string, number>> {
  return sendControlRequest(controlAddress, 'GET', ['calls']) as Promise<Record<string, number>>
}

export async function resetCallCounts(controlAddress: string): Promise<void> {
  await sendControlRequest(controlAddress, 'POST', ['calls', 'reset'])
}

/** Sends one request to a control listener. Rejects with ControlError. */
export async function sendControlRequest(
  controlAddress: string,
  method: string,
  segments: string[],
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(`${controlAddress}/${segments.map(encodeURIComponent).join('/')}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  if (!response.ok) throw new ControlError(`${method} ${segments.join('/')}`, response.status, await response.text())
  return response.json()
}

function parseErrorBody(text: string): { error?: string; detail?: string } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
