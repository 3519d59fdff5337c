import { Problem } from '../../errors.ts'

/** Returns the 403 for a key without a scope. */
export const createScopeProblem = (scope: string) =>
  new Problem(
    'insufficient_scope',
    `The API key does not have the scope ${scope}, which this call requires. Issue a key that has it: forecourt keys issue --scopes.`,
  )
