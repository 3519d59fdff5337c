import type { Fitment } from '../ports/inventory.ts'
import { CsvFieldError } from './csv-fields.ts'

/** Room for vehicles under one SKU's number, and for lines under one fitment's: all stay below 2 ** 53. */
const VEHICLES = 2 ** 22
const LINES = 2 ** 31

/** What a file has said so far, in numbers: millions of rows are held at once. */
export interface DuplicateDetector {
  /** Whether nothing was said yet of that SKU and vehicle (0: universal). Throws FieldMistake when something else was said. */
  isNew(sku: string, vehicle: number, fitment: string, name: () => string): boolean
  note(sku: string, vehicle: number, fitment: string, line: number): void
  skus(): IterableIterator<string>
  readonly skuCount: number
}

export function createDuplicateDetector(): DuplicateDetector {
  const skus = new Map<string, number>()
  const fitments = new Map<string, number>()
  const texts: string[] = []
  const rows = new Map<number, number>()

  function numberOf(numbers: Map<string, number>, text: string): number {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, numbers.size)
    return numbers.size - 1
  }

  return {
    isNew(sku, vehicle, fitment, name) {
      const before = rows.get((skus.get(sku) ?? -1) * VEHICLES + vehicle)
      if (before === undefined) return true
      const known = texts[Math.floor(before / LINES)]!
      if (known === fitment) return false
      const what = differenceOf(known, fitment)
      throw new CsvFieldError(`${sku} fits ${name()} on line ${before % LINES} already, with other ${what}`)
    },
    note(sku, vehicle, fitment, line) {
      const content = numberOf(fitments, fitment)
      texts[content] = fitment
      rows.set(numberOf(skus, sku) * VEHICLES + vehicle, content * LINES + line)
    },
    skus: () => skus.keys(),
    get skuCount() {
      return skus.size
    },
  }
}

function differenceOf(one: string, other: string): string {
  const [a, b] = [one, other].map((text) => JSON.parse(text) as Fitment) as [Fitment, Fitment]
  const differing = (Object.keys(a) as (keyof Fitment)[]).filter(
    (member) => JSON.stringify(a[member]) !== JSON.stringify(b[member]),
  )
  return differing.join(', ')
}
