import { UpstreamError } from '../errors.ts'
import type { Call } from '../ports/call.ts'
import { createTimedCall, type ProbeLimits } from './call-once.ts'
import type { ConnectedProgram, TargetConnections } from './connect-ports.ts'
import type { SystemFinding } from './diagnosis.ts'
import { remedyForFailure } from './failure-remedies.ts'

/** What the adapter itself finds in one program. What it found before it failed, or before time was over, is kept. */
export async function runAdapterExamination(
  { adapter, config, client, location: place, systems }: ConnectedProgram,
  { facts }: TargetConnections,
  patience: ProbeLimits,
  onFound: (found: SystemFinding) => void,
): Promise<void> {
  if (!adapter.examine) return
  const ends: (() => void)[] = []
  const call = (): Call => {
    const { call, over } = createTimedCall(patience)
    ends.push(over)
    return call
  }
  try {
    for await (const finding of adapter.examine(config.settings, client, facts, { systems, call })) {
      onFound({ ...finding, remedy: finding.remedy.replaceAll('{path}', place.path), systems })
      if (patience.signal.aborted) return
    }
  } catch (error) {
    if (patience.signal.aborted) return
    if (!(error instanceof UpstreamError)) throw error
    const said = { finding: error.message, remedy: remedyForFailure(error, place) }
    const blocks = error.failure === 'unavailable'
    onFound({ check: blocks ? 'connection' : 'examination', severity: 'error', ...said, systems, blocks })
  } finally {
    for (const over of ends) over()
  }
}
