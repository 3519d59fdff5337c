import { describeErrorCode } from './error-code-text.ts'
import { capitalizeFailure, describeFailure } from './failure-kind-text.ts'

/** Returns why a section was degraded, in the words of the cause of its incident. An earlier release recorded the code alone. */
export function describeDegradedSection({ code, kind }: { code: string; kind?: string | undefined }): string {
  const { name } = describeErrorCode(code)
  if (kind === undefined) return name
  return code === 'circuit_open' ? `${name} after: ${describeFailure(kind)}` : capitalizeFailure(kind)
}
