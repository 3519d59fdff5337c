import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Operation } from '../protocol/schema-types.ts'
import { upstreamProtocol } from '../protocol/upstream-protocol.ts'
import { HttpError } from './http-error.ts'

/** A value that fits the schema, or a Refusal that says where it does not. */
export type InputValidator = (value: unknown) => unknown

export interface OperationValidators {
  params: InputValidator
  query: InputValidator
  body: InputValidator
}

/** Compiled checks of what callers send to one system, by operation. */
export function compileValidators(system: keyof typeof upstreamProtocol): Record<string, OperationValidators> {
  const operations: Record<string, Operation> = upstreamProtocol[system]
  return Object.fromEntries(
    Object.entries(operations).map(([id, { params, query, body }]) => [
      id,
      {
        params: fromText('path', params),
        query: fromText('query', query),
        body: body ? against('body', body) : nothing,
      },
    ]),
  )
}

const nothing: InputValidator = () => undefined

function against(place: string, schema: TObject): InputValidator {
  const validator = Compile(schema)
  return (value) => {
    if (validator.Check(value)) return value
    const [first] = validator.Errors(value)
    throw new HttpError(400, 'bad_request', `${place}${first?.instancePath ?? ''}: ${first?.message ?? 'does not fit'}`)
  }
}

/** Paths and queries carry text: whole numbers are read as such where the schema wants one. */
function fromText(place: string, schema: TObject | undefined): InputValidator {
  if (!schema) return nothing
  const check = against(place, schema)
  const whole = Object.entries(schema.properties)
    .filter(([, member]) => 'type' in member && member.type === 'integer')
    .map(([name]) => name)
  return (value) => {
    const read = { ...(value as Record<string, unknown>) }
    for (const name of whole) {
      const text = read[name]
      if (typeof text === 'string' && /^\d{1,15}$/.test(text)) read[name] = Number(text)
    }
    return check(read)
  }
}
