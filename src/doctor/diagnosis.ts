import type { SystemsConfig } from '../config/system-config.ts'
import type { DoctorFinding } from '../ports/doctor.ts'
import type { PortName } from '../ports/system.ts'
import type { Tenant } from '../tenant.ts'
import { createSecretRedactor } from './secret-redactor.ts'

/**
 * The result of one operation. `not offered`: the adapter or the system does not have it. `not tried`: it writes, or an input for
 * it is missing.
 */
export type OperationResult = 'ok' | 'slow' | 'warning' | 'failed' | 'not offered' | 'not tried'

export interface OperationRow {
  system: PortName
  operation: string
  result: OperationResult
  /** Milliseconds of the first response, and the median of those after it. */
  latency: { cold: number; warm: number | null } | null
  /** The longest that a storefront's request waits for this operation. */
  limitMs: number
  finding: string | null
  remedy: string | null
}

export interface SystemFinding extends DoctorFinding {
  systems: readonly PortName[]
}

/** The report on one merchant's systems in one mode. */
export interface Diagnosis extends Tenant {
  operations: OperationRow[]
  findings: SystemFinding[]
  /** False when the diagnosis was stopped early. */
  finished: boolean
}

export interface DiagnosisWriter {
  addFinding(finding: SystemFinding): void
  addRow(row: OperationRow): void
}

/** Writes into a diagnosis, with secrets removed. */
export function createDiagnosisWriter({ findings, operations }: Diagnosis, systems: SystemsConfig): DiagnosisWriter {
  const redact = createSecretRedactor(systems)
  const redactNullable = (text: string | null) => text && redact(text)
  return {
    addFinding(finding) {
      // The adapter's own finding says more than the same check on the sampled products.
      const isReported = findings.some(({ check, severity }) => check === finding.check && severity !== 'note')
      if (isReported && PRODUCT_CHECKS.test(finding.check)) return
      findings.push({ ...finding, finding: redact(finding.finding), remedy: redact(finding.remedy) })
    },
    addRow(row) {
      operations.push({ ...row, finding: redactNullable(row.finding), remedy: redactNullable(row.remedy) })
    },
  }
}

const PRODUCT_CHECKS = /^(product_|price_of_zero$|clock$)/
