import { adapters } from '../../adapters.ts'
import { diagnoseTarget } from '../../doctor/diagnose-target.ts'
import type { Diagnosis } from '../../doctor/diagnosis.ts'
import { summarizeDiagnoses } from '../../doctor/summarize-diagnoses.ts'
import type { DoctorFinding } from '../../ports/doctor.ts'
import { waitForShutdownSignal } from '../shutdown-and-hangup-signals.ts'
import { type DoctorOptions, parseDoctorOptions } from './doctor-options.ts'
import { printDoctorReport, printDoctorReportAsJson } from './doctor-report.ts'
import { findDoctorTargets } from './doctor-targets.ts'
import { listTrustedProxyFindings } from './trusted-proxy-findings.ts'

const PROBLEMS_FOUND = 1
const INTERRUPTED = 130

/** Checks the configured systems without changing them, prints a report and sets the exit code. */
export async function runDoctor(options: DoctorOptions): Promise<void> {
  const { only, mode, sample, timeoutMs, withinMs } = parseDoctorOptions(options)
  const { config, targets } = await findDoctorTargets({ ...options, mode, only })
  const installation = await listTrustedProxyFindings(config, Date.now())
  const stop = new AbortController()
  let isInterrupted = false
  void waitForShutdownSignal().then(() => {
    isInterrupted = true
    stop.abort()
  })
  const timeLimit = setTimeout(() => stop.abort(), withinMs)
  const progress = createProgressLine(options.json === true)
  const diagnoses: Diagnosis[] = []
  for (const target of targets) {
    const { merchant } = target.merchant
    const diagnosis: Diagnosis = { merchant, mode: target.mode, operations: [], findings: [], finished: false }
    diagnoses.push(diagnosis)
    if (stop.signal.aborted) continue
    await diagnoseTarget(target, diagnosis, {
      adapters,
      only,
      customer: options.customer,
      sample,
      timeoutMs,
      now: Date.now,
      signal: stop.signal,
      onProgress: (message) => progress.show(`${merchant}, ${target.mode}: ${message} …`),
    })
  }
  clearTimeout(timeLimit)
  progress.clear()
  if (options.json) printDoctorReportAsJson(diagnoses, installation)
  else printDoctorReport(diagnoses, installation)
  process.exitCode = isInterrupted ? INTERRUPTED : exitCodeOf(diagnoses, installation, options.strict === true)
}

function exitCodeOf(
  diagnoses: readonly Diagnosis[],
  installation: readonly DoctorFinding[],
  isStrict: boolean,
): number {
  const { errors, warnings } = summarizeDiagnoses(diagnoses, installation)
  const isIncomplete = diagnoses.some(({ finished }) => !finished)
  return errors > 0 || isIncomplete || (isStrict && warnings > 0) ? PROBLEMS_FOUND : 0
}

/** A line on a terminal that each message replaces. */
function createProgressLine(isQuiet: boolean) {
  const isVisible = process.stderr.isTTY && !isQuiet
  const write = (text: string) => void (isVisible && process.stderr.write(`\r\x1b[K${text}`))
  return { show: write, clear: () => write('') }
}
