import { UpstreamError } from '../errors.ts'
import type { Call } from '../ports/call.ts'
import { createCallWithDeadline, type ProbeLimits } from './call-with-deadline.ts'
import type { ConnectedProgram, TargetConnections } from './connect-ports.ts'
import type { SystemFinding } from './diagnosis.ts'
import { remedyForFailure } from './failure-remedies.ts'

/** Runs the adapter's own examination of one program. Findings from before a failure or a timeout are reported too. */
export async function runAdapterExamination(
  { adapter, config, client, location, systems }: ConnectedProgram,
  { facts }: TargetConnections,
  limits: ProbeLimits,
  onFinding: (finding: SystemFinding) => void,
): Promise<void> {
  if (!adapter.examine) return
  const disposals: (() => void)[] = []
  const createCall = (): Call => {
    const { call, dispose } = createCallWithDeadline(limits)
    disposals.push(dispose)
    return call
  }
  try {
    for await (const finding of adapter.examine(config.settings, client, facts, { systems, call: createCall })) {
      onFinding({ ...finding, remedy: finding.remedy.replaceAll('{path}', location.path), systems })
      if (limits.signal.aborted) return
    }
  } catch (error) {
    if (limits.signal.aborted) return
    if (!(error instanceof UpstreamError)) throw error
    const blocks = error.failure === 'unavailable'
    onFinding({
      check: blocks ? 'connection' : 'examination',
      severity: 'error',
      finding: error.message,
      remedy: remedyForFailure(error, location),
      systems,
      blocks,
    })
  } finally {
    for (const dispose of disposals) dispose()
  }
}
