import { expect } from 'chai'
import type { Diagnosis, OperationRow } from '../../src/doctor/diagnosis.ts'
import { summarizeDiagnoses } from '../../src/doctor/summarize-diagnoses.ts'

const REMEDY = 'Start it'
const failed = (operation: string, finding: string): OperationRow => ({
  system: 'pricing',
  operation,
  result: 'failed',
  latency: null,
  limitMs: 700,
  finding,
  remedy: REMEDY,
})
const error = (finding: string) =>
  ({ check: 'examination', severity: 'error', systems: ['pricing'], finding, remedy: REMEDY }) as const

const diagnose = (parts: Pick<Diagnosis, 'operations' | 'findings'>): Diagnosis => ({
  merchant: 'acme',
  mode: 'live',
  finished: true,
  ...parts,
})

describe('the summary of a diagnosis', () => {
  it('counts a system that hangs once, however many operations it fails', () => {
    const operations = [failed('prices', 'no response'), failed('quote', 'no response')]
    const summary = summarizeDiagnoses([diagnose({ operations, findings: [error('no response')] })], [])
    expect(summary).to.deep.equal({ errors: 1, warnings: 0, notes: 0, failedOperations: 2 })
  })

  it('counts each cause', () => {
    const operations = [failed('prices', 'no response'), failed('quote', 'responded 500')]
    const { errors } = summarizeDiagnoses([diagnose({ operations, findings: [error('no response')] })], [])
    expect(errors).to.equal(2)
  })
})
