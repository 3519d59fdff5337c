import type { RequestRecord } from '../../diagnostics/request-records.ts'
import { describeErrorCode } from '../text/error-code-text.ts'
import { formatElapsedMs } from '../text/format-times.ts'
import { describeSection } from '../text/section-text.ts'

/** All that happened to a request, in a sentence or two. */
export function summarizeRequest({ kind, sections, code, status, ms, deadlineMs }: RequestRecord): string {
  const answered = `It was answered with ${status} after ${formatElapsedMs(ms)}${deadlineMs === null ? '' : ` of the ${formatElapsedMs(deadlineMs)} that there were`}.`
  if (kind === 'refused') return `${answered} ${code ? describeErrorCode(code).means : ''}`.trim()
  const failed = sections.filter((one) => one.code !== null && one.code !== 'not_configured')
  if (failed.length === 0) return answered
  const said = failed.map(({ name, system, code: why, staleAsOf }) => {
    const { name: section } = describeSection(system ?? '', name)
    return `${section} (${system ?? 'Forecourt'}): ${staleAsOf === null ? '' : 'older values, because of: '}${describeErrorCode(why!).name.toLowerCase()}`
  })
  const isKept = status < 500 && failed.some(({ name }) => name === 'checkout')
  return `${answered} ${said.join('; ')}.${isKept ? ' Its order is kept, and the ledger is asked again until it answers.' : ''}`
}

const cacheWords: Readonly<Record<string, string>> = {
  hit: 'answered from the cache',
  stale: 'answered from the cache, and asked for anew behind',
  miss: 'not in the cache',
  bypass: 'not kept: it was degraded, or is for one reader alone',
  none: 'never cached',
}

export const toRequestFacts = (of: RequestRecord): [string, string][] => [
  ['Request', `${of.method} ${of.path}`],
  ['Call', of.route],
  ['Status', String(of.status)],
  ['Cache', cacheWords[of.cache] ?? of.cache],
  ...(of.keyId === null ? [] : ([['Key', of.keyId]] as [string, string][])),
  ['Process', of.process],
]
