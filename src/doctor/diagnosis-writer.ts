import type { SystemsConfig } from '../config/system-config.ts'
import type { Diagnosis, OperationRow, SystemFinding } from './diagnosis.ts'
import { createSecretRedactor } from './secret-redactor.ts'

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
