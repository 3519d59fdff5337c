import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  type CatalogCopy,
  type CatalogCopyName,
  moveCatalogCopy,
  readCatalogCopy,
} from '../../storage/catalog/catalog-copy-progress.ts'
import type { Database } from '../../storage/database.ts'
import type { ImportStore } from '../../storage/imports/import-store.ts'
import { transactInBackground } from '../../storage/transact-in-background.ts'
import type { ChangeJobContext } from '../feed/change-job.ts'

/** A page of a step that was read and is not yet written. */
export interface CopyPage {
  /** The position of the next page; `null`: the step is complete. */
  next: string | null
  write(transaction: Database, at: string): Promise<unknown>
}

/** Reads the page after a position; '' is the beginning. `importId`: `null` when nothing is imported. */
export type CopyStep = (importId: number | null, after: string) => Promise<CopyPage>

export interface ImportCopy {
  name: CatalogCopyName
  store: ImportStore<unknown>
  /** The steps, in their order. Each may run again from its beginning. */
  steps: readonly CopyStep[]
}

const NO_IMPORT = ''

interface Position {
  step: number
  after: string
}

/**
 * Copies the current import of a tenant into its catalog, page by page, and returns whether the copy is complete. Each page and its
 * position are one transaction: another process continues where this one ends. An import that is replaced meanwhile is copied no further.
 */
export async function copyImport(context: ChangeJobContext, { name, store, steps }: ImportCopy): Promise<boolean> {
  const { db, tenant, now } = context
  for (;;) {
    const importId = (await store.findCurrent(db, tenant))?.import_id ?? null
    const source = importId === null ? NO_IMPORT : String(importId)
    const copy = await readCatalogCopy(db, tenant, name)
    if (copy?.source === source && copy.position === null) return true
    if (!context.canContinue()) return false
    const { step, after } = startOf(copy, source)
    const page = await steps[step]!(importId, after)
    const next = { source, position: toPosition(step, page.next, steps.length) }
    await transactInBackground(db, tenant, async (transaction) => {
      // Rows of a replaced import are deleted after a while, so a page of the import may lack some rows.
      if (((await store.findCurrent(transaction, tenant))?.import_id ?? null) !== importId) return
      if (!(await moveCatalogCopy(transaction, tenant, name, copy, next))) return
      await page.write(transaction, new Date(now()).toISOString())
    })
    // The store's calls may complete without yielding to the event loop.
    await yieldToEventLoop()
  }
}

function startOf(copy: CatalogCopy | null, source: string): Position {
  if (copy?.source !== source || copy.position === null) return { step: 0, after: '' }
  return JSON.parse(copy.position) as Position
}

function toPosition(step: number, after: string | null, steps: number): string | null {
  if (after !== null) return JSON.stringify({ step, after })
  return step + 1 < steps ? JSON.stringify({ step: step + 1, after: '' }) : null
}
