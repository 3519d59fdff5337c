import { Problem, type SkuRefusal } from '../../errors.ts'

export const createLineUnavailableProblem = (skuRefusals: readonly SkuRefusal[]) =>
  new Problem('line_unavailable', undefined, { members: { skus: skuRefusals.map(({ sku }) => sku) }, skuRefusals })
