import { changeResult, type Mutate } from './change-port.ts'

/** The customers have less credit than their system accepts: of eight orders of a third each, seven are placed. */
export const withLowCredit: Mutate = (ports) => {
  let hidden: number | undefined
  return changeResult('accounting.credit', (credit) => {
    const available = Number(credit?.available_credit)
    hidden ??= available * 0.6
    return credit && { ...credit, available_credit: (available - hidden).toFixed(2) }
  })(ports)
}
