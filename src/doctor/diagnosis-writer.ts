import type { SystemsConfig } from '../config/config.ts'
import type { Diagnosis, OperationRow, SystemFinding } from './diagnosis.ts'
import { createSecretRedactor } from './secret-redactor.ts'

/** Writes into a diagnosis, without secrets. */
export function createDiagnosisWriter({ findings, operations }: Diagnosis, systems: SystemsConfig) {
  const hidden = createSecretRedactor(systems)
  const hiddenOrNull = (text: string | null) => text && hidden(text)
  return {
    /** What an adapter has told of is not told again by a look at its answers, which says less. */
    keep(found: SystemFinding): void {
      const told = findings.some(({ check, severity }) => check === found.check && severity !== 'note')
      if (told && ofGoods.test(found.check)) return
      findings.push({ ...found, finding: hidden(found.finding), remedy: hidden(found.remedy) })
    },
    addRow(row: OperationRow): void {
      operations.push({ ...row, finding: hiddenOrNull(row.finding), remedy: hiddenOrNull(row.remedy) })
    },
  }
}

const ofGoods = /^(product_|price_of_zero$|clock$)/
