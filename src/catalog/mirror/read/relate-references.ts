import { normalizeNumber } from '../../../ports/normalize-number.ts'
import {
  type AlternativeRelation,
  type ReferenceKind,
  referenceKinds,
  type SkuReferences,
} from '../../../ports/reference.ts'

/** A reference of a product, with its keys for comparison. */
export interface RelatedNumber {
  sku: string
  kind: ReferenceKind
  /** Empty: none. */
  brand: string
  brand_key: string
  number: string
  number_key: string
}

/** The references around a product. */
export interface ReferencesAround {
  /** Its own. */
  own: readonly RelatedNumber[]
  /** Those of other products that name its SKU. */
  naming: readonly RelatedNumber[]
  /** Those of any product with its OEM and cross-reference numbers. */
  sharing: readonly RelatedNumber[]
  /** Products whose SKU is one of its numbers. */
  namedSkus: readonly string[]
  /** SKUs that are written like the number of its replacement. */
  successors: readonly string[]
}

const MAX_ALTERNATIVES = 10

/** Returns the references of a product. */
export function relateReferences(sku: string, around: ReferencesAround): SkuReferences {
  const { own, naming } = around
  const successor = findSuccessor(around)
  return {
    references: own.map(toReference).sort(byKindAndNumber),
    supersedes: listSuperseded(own, naming),
    superseded_by: successor,
    related: listRelated(sku, successor, around),
  }
}

export const toReference = ({ kind, brand, number }: RelatedNumber) => ({ kind, brand: brand || null, number })

const byKindAndNumber = (a: SkuReferences['references'][number], b: SkuReferences['references'][number]) =>
  referenceKinds.indexOf(a.kind) - referenceKinds.indexOf(b.kind) ||
  (a.number < b.number ? -1 : a.number > b.number ? 1 : (a.brand ?? '') < (b.brand ?? '') ? -1 : 1)

/** Returns the replaced products: those that it names, and those that name it. */
function listSuperseded(own: readonly RelatedNumber[], naming: readonly RelatedNumber[]): string[] {
  const numbers = [
    ...naming.filter(({ kind }) => kind === 'SUPERSEDED_BY').map(({ sku }) => sku),
    ...own.filter(({ kind }) => kind === 'SUPERSEDES').map(({ number }) => number),
  ]
  // A SKU as the inventory writes it comes before another spelling of it.
  return [...new Map(numbers.toReversed().map((number) => [normalizeNumber(number), number])).values()].sort()
}

/** Returns the number of the product that replaces this one, where the product names it. */
export function findReplacement({ own, naming }: Pick<ReferencesAround, 'own' | 'naming'>): RelatedNumber | undefined {
  if (naming.some(({ kind }) => kind === 'SUPERSEDES')) return undefined
  return own.find(({ kind }) => kind === 'SUPERSEDED_BY')
}

/** Returns the product that replaces this one, with the spelling of its SKU where that is known. */
function findSuccessor({ own, naming, successors }: ReferencesAround): string | null {
  const replacing = naming.find(({ kind }) => kind === 'SUPERSEDES')
  if (replacing) return replacing.sku
  const replacement = findReplacement({ own, naming })
  if (!replacement) return null
  return successors.length === 1 ? successors[0]! : replacement.number
}

const isShared = ({ kind }: RelatedNumber) => kind === 'OEM' || kind === 'CROSS'

/** The numbers of a product by which others are looked for. */
const MAX_SHARED_NUMBERS = 20

/** Returns the numbers of a product that other products may have too. */
export const listSharedNumbers = (own: readonly RelatedNumber[]): RelatedNumber[] =>
  own.filter(isShared).slice(0, MAX_SHARED_NUMBERS)

/** Lists other products: what replaces this one, then those with an OEM number in common, then those with a cross-reference. */
function listRelated(
  sku: string,
  successor: string | null,
  { own, naming, sharing, namedSkus }: ReferencesAround,
): SkuReferences['related'] {
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
const isSameNumber = (a: RelatedNumber, b: RelatedNumber) =>
  isShared(a) &&
  a.number_key === b.number_key &&
  (a.brand_key === b.brand_key || a.brand_key === '' || b.brand_key === '')
