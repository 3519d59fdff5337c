import { ImportFieldError } from '../imports/import-errors.ts'
import type { Fitment } from '../ports/vehicle.ts'

/** Multipliers that pack two numbers into one; all results stay below 2 ** 53. */
const MAX_VEHICLES = 2 ** 22
const MAX_LINES = 2 ** 31

/** Remembers the rows of a file as numbers, because a file may have millions. */
export interface DuplicateDetector {
  /** Returns true for a new pair of SKU and vehicle (0: universal), false for a duplicate. Throws ImportFieldError when the fitment differs. */
  isNew(sku: string, vehicle: number, fitment: string, name: () => string): boolean
  record(sku: string, vehicle: number, fitment: string, line: number): void
  skus(): IterableIterator<string>
  readonly skuCount: number
}

export function createDuplicateDetector(): DuplicateDetector {
  const skus = new Map<string, number>()
  const fitments = new Map<string, number>()
  const fitmentTexts: string[] = []
  const rows = new Map<number, number>()

  function idOf(numbers: Map<string, number>, text: string): number {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, numbers.size)
    return numbers.size - 1
  }

  return {
    isNew(sku, vehicle, fitment, name) {
      const packed = rows.get((skus.get(sku) ?? -1) * MAX_VEHICLES + vehicle)
      if (packed === undefined) return true
      const known = fitmentTexts[Math.floor(packed / MAX_LINES)]!
      if (known === fitment) return false
      const differences = listDifferences(known, fitment)
      throw new ImportFieldError(
        `${sku} already fits ${name()} on line ${packed % MAX_LINES}, with different ${differences}`,
      )
    },
    record(sku, vehicle, fitment, line) {
      const fitmentId = idOf(fitments, fitment)
      fitmentTexts[fitmentId] = fitment
      rows.set(idOf(skus, sku) * MAX_VEHICLES + vehicle, fitmentId * MAX_LINES + line)
    },
    skus: () => skus.keys(),
    get skuCount() {
      return skus.size
    },
  }
}

function listDifferences(first: string, second: string): string {
  const [a, b] = [first, second].map((text) => JSON.parse(text) as Fitment) as [Fitment, Fitment]
  const differing = (Object.keys(a) as (keyof Fitment)[]).filter(
    (member) => JSON.stringify(a[member]) !== JSON.stringify(b[member]),
  )
  return differing.join(', ')
}
