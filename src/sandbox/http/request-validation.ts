import type { TObject } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { Operation } from '../protocol/operation.ts'
import { upstreamProtocol } from '../protocol/upstream-protocol.ts'
import { HttpError } from './http-error.ts'

/** Returns the valid value. Throws HttpError with the place of the first error. */
export type InputValidator = (value: unknown) => unknown

export interface OperationValidators {
  params: InputValidator
  query: InputValidator
  body: InputValidator
}

/** Creates validators for the operations of one system. Each compiles its schema on first use. */
export function createValidators(system: keyof typeof upstreamProtocol): Record<string, OperationValidators> {
  const operations: Record<string, Operation> = upstreamProtocol[system]
  return Object.fromEntries(
    Object.entries(operations).map(([id, { params, query, body }]) => [
      id,
      {
        params: createTextValidator('path', params),
        query: createTextValidator('query', query),
        body: body ? createValidator('body', body) : ignoreInput,
      },
    ]),
  )
}

const ignoreInput: InputValidator = () => undefined

function createValidator(location: string, schema: TObject): InputValidator {
  let validator: Validator | undefined
  return (value) => {
    validator ??= Compile(schema)
    if (validator.Check(value)) return value
    const [firstError] = validator.Errors(value)
    throw new HttpError(
      400,
      'bad_request',
      `${location}${firstError?.instancePath ?? ''}: ${firstError?.message ?? 'is invalid'}`,
    )
  }
}

/** Validates path or query parameters. Parses integers, because parameters are text. */
function createTextValidator(location: string, schema: TObject | undefined): InputValidator {
  if (!schema) return ignoreInput
  const validate = createValidator(location, schema)
  const integerNames = Object.entries(schema.properties)
    .filter(([, member]) => 'type' in member && member.type === 'integer')
    .map(([name]) => name)
  return (value) => {
    const parsed = { ...(value as Record<string, unknown>) }
    for (const name of integerNames) {
      const text = parsed[name]
      if (typeof text === 'string' && /^\d{1,15}$/.test(text)) parsed[name] = Number(text)
    }
    return validate(parsed)
  }
}
