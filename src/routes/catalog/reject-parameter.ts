import type { ValidationItem } from '../../contract/validation-error.ts'
import { InvalidInput } from '../../errors.ts'

/** Returns the 422 for a query parameter. */
export const rejectParameter = (type: string, name: string, input: unknown, msg: string, ctx?: ValidationItem['ctx']) =>
  new InvalidInput([{ type, loc: ['query', name], msg, input, ...(ctx && { ctx }) }])
