import {
  type AlternativeRelation,
  type NumberMatch,
  normalizeNumber,
  type ReferencePort,
  referenceKinds,
  type SkuReferences,
} from '../ports/reference.ts'
import type { Database } from '../storage/database.ts'
import { referenceImports } from '../storage/references/reference-imports.ts'
import {
  listReferencesAround,
  listReferencesByNumber,
  listReferencesBySkuKey,
  listSharedReferences,
  listSkusByKey,
  listSkusWithReferences,
  type ReferenceRow,
} from '../storage/references/reference-queries.ts'
import type { Tenant } from '../tenant.ts'

const MAX_ALTERNATIVES = 10
/** The numbers of a product by which others are looked for. */
const MAX_SHARED_NUMBERS = 20

/** The references that `forecourt references import` stored for a tenant. */
export function createImportedReferencePort(db: Database, tenant: Tenant): ReferencePort {
  return {
    currentImport: async () => (await referenceImports.findCurrent(db, tenant))?.import_id ?? 0,
    async ofSku(importId, sku, customerId) {
      const rows = await listReferencesAround(db, importId, sku, customerId)
      const own = rows.filter((row) => row.sku === sku)
      const naming = rows.filter((row) => row.sku !== sku)
      const successor = await findSuccessor(db, importId, own, naming)
      const shared = await listRowsWithSameNumbers(db, importId, own)
      return {
        references: own.map(toReference).sort(byKindAndNumber),
        supersedes: listSuperseded(own, naming),
        superseded_by: successor,
        related: listRelated(sku, { own, naming, successor, ...shared }),
      }
    },
    byNumber: (importId, number, customerId) => listMatches(db, importId, number, customerId),
  }
}

const toReference = ({ kind, brand, number }: ReferenceRow) => ({ kind, brand: brand || null, number })

const byKindAndNumber = (a: SkuReferences['references'][number], b: SkuReferences['references'][number]) =>
  referenceKinds.indexOf(a.kind) - referenceKinds.indexOf(b.kind) ||
  (a.number < b.number ? -1 : a.number > b.number ? 1 : (a.brand ?? '') < (b.brand ?? '') ? -1 : 1)

/** Returns the replaced products: those that it names, and those that name it. */
function listSuperseded(own: readonly ReferenceRow[], naming: readonly ReferenceRow[]): string[] {
  const numbers = [
    ...naming.filter(({ kind }) => kind === 'SUPERSEDED_BY').map(({ sku }) => sku),
    ...own.filter(({ kind }) => kind === 'SUPERSEDES').map(({ number }) => number),
  ]
  // A SKU as the inventory writes it comes before another spelling of it.
  return [...new Map(numbers.toReversed().map((number) => [normalizeNumber(number), number])).values()].sort()
}

/** Returns the product that replaces this one, with the spelling of its SKU where that is known. */
async function findSuccessor(
  db: Database,
  importId: number,
  own: readonly ReferenceRow[],
  naming: readonly ReferenceRow[],
): Promise<string | null> {
  const replacing = naming.find(({ kind }) => kind === 'SUPERSEDES')
  if (replacing) return replacing.sku
  const replaced = own.find(({ kind }) => kind === 'SUPERSEDED_BY')
  if (!replaced) return null
  const skus = await listSkusByKey(db, importId, replaced.number_key)
  return skus.length === 1 ? skus[0]! : replaced.number
}

const isShared = ({ kind }: ReferenceRow) => kind === 'OEM' || kind === 'CROSS'

async function listRowsWithSameNumbers(db: Database, importId: number, own: readonly ReferenceRow[]) {
  const numbers = own.filter(isShared).slice(0, MAX_SHARED_NUMBERS)
  const [sharing, namedSkus] = await Promise.all([
    listSharedReferences(db, importId, [...new Set(numbers.map(({ number_key }) => number_key))]),
    listSkusWithReferences(db, importId, [...new Set(numbers.map(({ number }) => number))]),
  ])
  return { sharing, namedSkus }
}

interface Relatives {
  own: readonly ReferenceRow[]
  naming: readonly ReferenceRow[]
  successor: string | null
  sharing: readonly ReferenceRow[]
  namedSkus: readonly string[]
}

/** Lists other products: what replaces this one, then those with an OEM number in common, then those with a cross-reference. */
function listRelated(sku: string, { own, naming, successor, sharing, namedSkus }: Relatives): SkuReferences['related'] {
  const relations = new Map<string, AlternativeRelation>()
  const add = (other: string, relation: AlternativeRelation) => {
    if (other !== sku && !relations.has(other)) relations.set(other, relation)
  }
  if (successor !== null) add(successor, 'SUPERSEDED_BY')
  const common = sharing.filter((row) => isShared(row) && own.some((mine) => isSameNumber(mine, row)))
  for (const { sku: other } of common.filter(({ kind }) => kind === 'OEM')) add(other, 'OEM')
  for (const { sku: other } of [...common, ...naming.filter(isShared)]) add(other, 'CROSS')
  for (const other of namedSkus) add(other, 'CROSS')
  return [...relations].slice(0, MAX_ALTERNATIVES).map(([other, relation]) => ({ sku: other, relation }))
}

/** The same number of two brands is a coincidence; a row without a brand may be any. */
const isSameNumber = (a: ReferenceRow, b: ReferenceRow) =>
  isShared(a) &&
  a.number_key === b.number_key &&
  (a.brand_key === b.brand_key || a.brand_key === '' || b.brand_key === '')

async function listMatches(
  db: Database,
  importId: number,
  number: string,
  customerId: string | null,
): Promise<NumberMatch[]> {
  const [skus, replaced, own, everybody] = await Promise.all([
    listSkusByKey(db, importId, number),
    listReferencesBySkuKey(db, importId, number, 'SUPERSEDED_BY'),
    customerId === null ? [] : listReferencesByNumber(db, importId, number, customerId),
    listReferencesByNumber(db, importId, number, ''),
  ])
  return [
    ...skus.map((sku): NumberMatch => ({ sku, kind: 'SKU', brand: null, number: sku })),
    ...[...own, ...everybody].map((row) => ({ sku: row.sku, ...toReference(row) })),
    ...replaced.map((row): NumberMatch => ({ sku: row.number, kind: 'SUPERSEDES', brand: null, number: row.sku })),
  ]
}
