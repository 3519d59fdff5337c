import { adapters } from '../../adapters.ts'
import { diagnoseTarget } from '../../doctor/diagnose-target.ts'
import { type Diagnosis, summarizeDiagnoses } from '../../doctor/diagnosis.ts'
import { waitForShutdownSignal } from '../shutdown-signal.ts'
import { type DoctorOptions, type DoctorSelection, parseDoctorOptions } from './doctor-options.ts'
import { printDoctorReport, printDoctorReportAsJson } from './doctor-report.ts'
import { findDoctorTargets } from './doctor-targets.ts'

const MUST_BE_MENDED = 1
const INTERRUPTED = 130

/** Looks at the configured systems without changing them, and says what is wrong and how to mend it. */
export async function runDoctor(options: DoctorOptions): Promise<void> {
  const wanted = parseDoctorOptions(options)
  const patients = await findDoctorTargets({ ...options, mode: wanted.mode, only: wanted.only })
  const ending = new AbortController()
  let interrupted = false
  void waitForShutdownSignal().then(() => {
    interrupted = true
    ending.abort()
  })
  const over = setTimeout(() => ending.abort(), wanted.withinMs)
  const diagnoses: Diagnosis[] = []
  const progress = progressLine(options.json === true)
  for (const patient of patients) {
    const { merchant, mode } = patient
    const diagnosis: Diagnosis = {
      ...{ merchant: merchant.merchant, mode, operations: [], findings: [], finished: false },
    }
    diagnoses.push(diagnosis)
    if (ending.signal.aborted) continue
    const onProgress = (what: string) => progress.show(`${merchant.merchant}, ${mode}: ${what} …`)
    await diagnoseTarget(patient, diagnosis, { ...visitOf(options, wanted), signal: ending.signal, onProgress })
  }
  clearTimeout(over)
  progress.clear()
  if (options.json) printDoctorReportAsJson(diagnoses)
  else printDoctorReport(diagnoses)
  process.exitCode = interrupted ? INTERRUPTED : exitCodeOf(diagnoses, options.strict === true)
}

const visitOf = ({ customer }: DoctorOptions, { only, sample, timeoutMs }: DoctorSelection) => ({
  ...{ adapters, only, customer, sample, timeoutMs, now: Date.now },
})

function exitCodeOf(diagnoses: readonly Diagnosis[], strict: boolean): number {
  const { errors, warnings } = summarizeDiagnoses(diagnoses)
  const unfinished = diagnoses.some(({ finished }) => !finished)
  return errors > 0 || unfinished || (strict && warnings > 0) ? MUST_BE_MENDED : 0
}

/** One line that is written over and over, where somebody watches. */
function progressLine(quiet: boolean) {
  const shown = process.stderr.isTTY && !quiet
  const write = (text: string) => void (shown && process.stderr.write(`\r\x1b[K${text}`))
  return { show: write, clear: () => write('') }
}
