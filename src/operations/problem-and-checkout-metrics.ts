import type { Registry } from 'prom-client'
import type { FinishedRequest } from '../diagnostics/finished-request.ts'
import { problemTypes } from '../problem-types.ts'
import { modes } from '../tenant.ts'
import { createLabelledCounter } from './labelled-counter.ts'
import type { MerchantLabel } from './merchant-label.ts'

/** Registers the metrics of problems, and of checkouts by their problem. */
export function createProblemMetrics(
  registry: Registry,
  merchantOf: MerchantLabel,
  merchants: readonly string[],
): (request: FinishedRequest) => void {
  const problems = createLabelledCounter(registry, {
    name: 'forecourt_problems_total',
    help: 'Error responses, by merchant, mode and problem code',
    labels: ['merchant', 'mode', 'code'],
  })
  const checkouts = createLabelledCounter(registry, {
    name: 'forecourt_checkouts_total',
    help: 'Checkouts, by merchant, mode, status and problem code (none: no problem)',
    labels: ['merchant', 'mode', 'status', 'code'],
  })

  // An alert on the rise of a series would miss the error that creates it.
  for (const merchant of [...merchants, 'none'])
    for (const mode of modes) problems.series(merchant, mode, 'internal_error')

  return ({ tenant, mode, route, status, code }) => {
    if (code === undefined && route !== 'checkout') return
    const merchant = merchantOf(tenant)
    if (code !== undefined) problems.increment(merchant, mode, toCodeLabel(code))
    if (route === 'checkout')
      checkouts.increment(merchant, mode, String(status), code === undefined ? 'none' : toCodeLabel(code))
  }
}

/** `validation` is the code of 422 in the log, and no problem type. */
const toCodeLabel = (code: string) => (code in problemTypes || code === 'validation' ? code : 'other')
