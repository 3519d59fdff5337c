import { defineProbe, type OperationProbe, type SkippedProbe } from './operation-probe.ts'

export const operationNotOffered = (operation: string, remedy?: string): SkippedProbe => ({
  result: 'not offered',
  finding: `the adapter has no ${operation} for this system`,
  ...(remedy && { remedy }),
})

export const missingInput = (name: string, remedy: string): SkippedProbe => ({
  result: 'not tried',
  finding: `no ${name} was found to use as its input`,
  remedy,
})

export const missingCustomer = missingInput('customer', 'Name one: --customer <id or email>')

/** A row for an operation that writes. */
export const skippedWriteProbe = (operation: string, isOffered: boolean): OperationProbe =>
  defineProbe({
    operation,
    prepare: () =>
      isOffered
        ? {
            result: 'not tried',
            finding: 'it writes, so the doctor does not call it; the findings name what it lacks',
          }
        : operationNotOffered(operation),
  })
