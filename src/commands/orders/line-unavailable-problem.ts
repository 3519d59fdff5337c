import { Problem } from '../../errors.ts'

export const createLineUnavailableProblem = (skus: readonly string[]) =>
  new Problem('line_unavailable', undefined, { members: { skus: [...skus] } })
