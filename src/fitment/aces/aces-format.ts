import type { FileFormat } from '../../imports/file-format.ts'
import { ImportReadError } from '../../imports/import-errors.ts'
import { requireCount } from '../../imports/require-count.ts'
import { requireFullSubmission } from '../../imports/require-full-submission.ts'
import { readXmlElements } from '../../imports/xml-reader.ts'
import type { FitmentLine } from '../fitment-line.ts'
import { parseAcesApplication, UNUSED_ELEMENTS } from './aces-application.ts'
import type { VehicleNames } from './vehicle-names.ts'

/** An id that neither the file nor the vehicle file names. */
export interface UnresolvedId {
  element: string
  id: string
  applications: number
}

/** A fitment file in ACES 3 or 4, the XML of the Auto Care Association: https://www.autocare.org */
export interface AcesFormat extends FileFormat<FitmentLine> {
  listUnresolved(): UnresolvedId[]
}

export function createAcesFormat({ market, names }: { market: string; names: VehicleNames }): AcesFormat {
  const unused = new Set<string>()
  const unresolved = new Map<string, UnresolvedId>()
  let hasHeader = false

  function onUnresolved(element: string, id: string): void {
    const entry = unresolved.get(`${element} ${id}`) ?? { element, id, applications: 0 }
    unresolved.set(`${element} ${id}`, { ...entry, applications: entry.applications + 1 })
  }

  const shape = {
    root: 'ACES',
    records: ['Header', 'App', 'Asset', 'Footer'],
    skipped: UNUSED_ELEMENTS,
    onSkip: (name: string) => void unused.add(name),
  }

  return {
    async *read(bytes) {
      let [applications, assets] = [0, 0]
      for await (const element of readXmlElements(bytes, shape)) {
        const { name, line } = element
        hasHeader = true
        if (name === 'Header') requireFullSubmission(element)
        else if (name === 'Footer') requireCount(element, 'RecordCount', applications, applications + assets)
        else if (name === 'Asset') {
          assets += 1
          unused.add(name)
        } else {
          applications += 1
          yield { line, parse: () => parseAcesApplication(element, { market, names, onUnresolved }) }
        }
      }
      if (!hasHeader) throw new ImportReadError(1, 'has no applications')
    },
    get hasHeader() {
      return hasHeader
    },
    get unused() {
      return [...unused].sort()
    },
    listUnresolved: () => [...unresolved.values()].sort((a, b) => b.applications - a.applications),
  }
}
