/** Multipliers that pack two numbers into one; all results stay below 2 ** 53. */
const MAX_VEHICLES = 2 ** 22
const MAX_LINES = 2 ** 31

/** Remembers the rows of a file as numbers, because a file may have millions. */
export interface DuplicateDetector {
  /** Finds the recorded fitment of a pair of SKU and vehicle (0: universal). */
  find(sku: string, vehicle: number): { fitment: string; line: number } | undefined
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
    find(sku, vehicle) {
      const packed = rows.get((skus.get(sku) ?? -1) * MAX_VEHICLES + vehicle)
      if (packed === undefined) return undefined
      return { fitment: fitmentTexts[Math.floor(packed / MAX_LINES)]!, line: packed % MAX_LINES }
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
