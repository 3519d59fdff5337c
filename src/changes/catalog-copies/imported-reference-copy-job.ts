import type { ProductNumber } from '../../catalog/mirror/file/mirror-row.ts'
import { listCatalogPartSkus } from '../../storage/catalog/catalog-part-skus.ts'
import { putCatalogParts } from '../../storage/catalog/catalog-products.ts'
import {
  listDescriptionsAfterSku,
  listReferencesAfterSku,
  listSkusWithDescription,
  type ReferenceCopyRow,
} from '../../storage/references/imported-reference-copy-queries.ts'
import { referenceImports } from '../../storage/references/reference-imports.ts'
import { listSkusWithReferences } from '../../storage/references/reference-queries.ts'
import type { ChangeJob, ChangeJobContext } from '../feed/change-job.ts'
import { type CopyStep, copyImport } from './copy-import.ts'
import { markCatalogPartCopied } from './mark-catalog-part-copied.ts'
import { takeWholeSkus } from './take-whole-skus.ts'

/** Rows in one page, and so the most numbers of one product that are copied. */
const PAGE_ROWS = 2_000
const PAGE_SKUS = 500

/** Creates the job that copies imported references and descriptions into the tenant's catalog. SKUs without a product are copied too: it may follow. */
export function createImportedReferenceCopyJob(context: ChangeJobContext): ChangeJob {
  const { db, tenant, now } = context

  const writeNumbers: CopyStep = async (importId, after) => {
    const rows = importId === null ? [] : await listReferencesAfterSku(db, importId, after, PAGE_ROWS)
    const groups = takeWholeSkus(rows, PAGE_ROWS)
    const parts = groups.map(([sku, references]) => ({ sku, numbers: JSON.stringify(references.map(toNumber)) }))
    return {
      next: rows.length === PAGE_ROWS ? groups.at(-1)![0] : null,
      write: (transaction, at) => putCatalogParts(transaction, tenant, parts, at),
    }
  }

  const clearNumbers: CopyStep = async (importId, after) => {
    const skus = (await listCatalogPartSkus(db, tenant, 'numbers', after, PAGE_SKUS)).map(({ sku }) => sku)
    const kept = new Set(importId === null ? [] : await listSkusWithReferences(db, importId, skus))
    const parts = skus.filter((sku) => !kept.has(sku)).map((sku) => ({ sku, numbers: null }))
    return {
      next: skus.length === PAGE_SKUS ? skus.at(-1)! : null,
      write: (transaction, at) => putCatalogParts(transaction, tenant, parts, at),
    }
  }

  const writeDescriptions: CopyStep = async (importId, after) => {
    const rows = importId === null ? [] : await listDescriptionsAfterSku(db, importId, after, PAGE_SKUS)
    return {
      next: rows.length === PAGE_SKUS ? rows.at(-1)!.sku : null,
      write: (transaction, at) => putCatalogParts(transaction, tenant, rows, at),
    }
  }

  const clearDescriptions: CopyStep = async (importId, after) => {
    const skus = (await listCatalogPartSkus(db, tenant, 'description', after, PAGE_SKUS)).map(({ sku }) => sku)
    const kept = new Set(importId === null ? [] : await listSkusWithDescription(db, importId, skus))
    const parts = skus.filter((sku) => !kept.has(sku)).map((sku) => ({ sku, description: null }))
    return {
      next: skus.length === PAGE_SKUS ? skus.at(-1)! : null,
      write: (transaction, at) => putCatalogParts(transaction, tenant, parts, at),
    }
  }

  // Descriptions are a copy of their own: processes of releases without them copy the numbers of the same import.
  const copies = [
    { name: 'references', store: referenceImports, steps: [writeNumbers, clearNumbers] },
    { name: 'descriptions', store: referenceImports, steps: [writeDescriptions, clearDescriptions] },
  ] as const

  return {
    name: 'reference-copy',
    system: 'inventory',
    async run() {
      const at = new Date(now()).toISOString()
      for (const copy of copies) if (!(await copyImport(context, copy))) return
      await markCatalogPartCopied(db, tenant, 'references', at)
    },
  }
}

const toNumber = ({ kind, brand, number, customer_id }: ReferenceCopyRow): ProductNumber => ({
  kind,
  brand: brand || null,
  number,
  customer_id: customer_id || null,
})
