import type { Database } from '../storage/database.ts'
import { listCurrentFitmentImports } from '../storage/fitment/fitment-imports.ts'

export interface FitmentImportPollerParts {
  db: Database
  /** Told of a merchant and mode ("acme/live") whose imported fitment is another than before. */
  onChanged(owner: string): void
  onError(error: unknown): void
  /** `null`: it looks by hand alone. */
  intervalMs?: number | null
}

/** Hears of imports, which another process makes. */
export interface FitmentImportPoller extends AsyncDisposable {
  look(): Promise<void>
}

const INTERVAL_MS = 500

export function createFitmentImportPoller(parts: FitmentImportPollerParts): FitmentImportPoller {
  const { db, onChanged, onError, intervalMs = INTERVAL_MS } = parts
  let known = new Map<string, number>()
  let looking: Promise<void> | undefined
  let stopped = false
  let failing = false

  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function lookOnce(): Promise<void> {
    const imports = await listCurrentFitmentImports(db)
    const found = new Map(imports.map(({ tenant_id, mode, import_id }) => [`${tenant_id}/${mode}`, import_id]))
    const changed = [...new Set([...known.keys(), ...found.keys()])].filter(
      (owner) => known.get(owner) !== found.get(owner),
    )
    known = found
    for (const owner of changed) onChanged(owner)
  }

  async function lookAndTell(): Promise<void> {
    try {
      await look()
      failing = false
    } catch (error) {
      // Twice a second the same would be said.
      if (!stopped && !failing) onError(error)
      failing = true
    }
  }

  const timer = intervalMs === null ? undefined : setInterval(() => void lookAndTell(), intervalMs)
  return {
    look,
    async [Symbol.asyncDispose]() {
      stopped = true
      clearInterval(timer)
      await Promise.allSettled([looking])
    },
  }
}
