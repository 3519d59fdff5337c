import type { CallInput, CallOptions } from '../../client/call.ts'
import { operations } from '../../client/generated/operations.gen.ts'
import type { ValidationItem } from '../../contract/validation-error.ts'
import { InvalidInput } from '../../errors.ts'
import type { AccountOperation, SessionOperation } from '../account-operations.ts'

/** A call that a page asks of the shop's server. */
export interface AccountCall {
  input: CallInput
  options: Pick<CallOptions, 'idempotencyKey' | 'ifMatch'>
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isPlain = (value: unknown) => value === null || typeof value !== 'object'
/** It becomes a part of a path, where dots have a meaning. */
const isPathParameter = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && value.isWellFormed() && !['', '.', '..'].includes(value))
/** It becomes a header. */
const isIdempotencyKey = (value: unknown) => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value)

/** Throws InvalidInput for what the client cannot send. The rest is for Forecourt to check: this server only knows who asks. */
export function parseAccountCall(
  name: AccountOperation | SessionOperation | 'logOutShopper',
  body: Buffer | null,
): AccountCall {
  const call = parseJson(body)
  if (!isObject(call)) throw invalid([], 'The body is not an object')
  const { input = {}, idempotencyKey, ifMatch } = call
  if (!isObject(input)) throw invalid(['input'], 'The input is not an object')
  for (const [, parameter = ''] of operations[name].path.matchAll(/\{(\w+)\}/g))
    if (!isPathParameter(input[parameter])) throw invalid(['input', parameter], 'The parameter is missing or not valid')
  for (const [member, value] of Object.entries(input))
    if (member !== 'body' && !(Array.isArray(value) ? value.every(isPlain) : isPlain(value)))
      throw invalid(['input', member], 'The parameter is not a text, a number or a list of these')
  if (idempotencyKey != null && !isIdempotencyKey(idempotencyKey))
    throw invalid(['idempotencyKey'], 'The key is not a text of ASCII characters')
  if (ifMatch != null && !Number.isSafeInteger(ifMatch)) throw invalid(['ifMatch'], 'The version is not a whole number')
  const options = { idempotencyKey: idempotencyKey ?? undefined, ifMatch: ifMatch ?? undefined }
  return { input, options: options as AccountCall['options'] }
}

function parseJson(body: Buffer | null): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    throw invalid([], 'The body is not JSON', 'json_invalid')
  }
}

function invalid(loc: ValidationItem['loc'], msg: string, type = 'value_error'): InvalidInput {
  return new InvalidInput([{ type, loc: ['body', ...loc], msg }])
}
