import type { CatalogPartName } from '../../catalog/mirror/file/catalog-part-names.ts'
import type { UpstreamFailure } from '../../errors.ts'
import type { MirrorPartState } from '../../upstream/mirror/catalog-mirror.ts'

/** The latest period in which reads of a part failed, as far as this process knows. */
export interface PartFailure {
  failure: UpstreamFailure
  /** Milliseconds since the epoch: when this process first and last knew that they failed. */
  fromMs: number
  toMs: number
}

/** Remembers how reads of parts failed after they have succeeded again. */
export interface PartFailures {
  note(parts: ReadonlyMap<CatalogPartName, MirrorPartState>, at: number): void
  latest(name: CatalogPartName): PartFailure | null
}

export function createPartFailures(): PartFailures {
  const latest = new Map<CatalogPartName, PartFailure>()
  const ongoing = new Set<CatalogPartName>()
  return {
    note(parts, at) {
      for (const [name, { failure }] of parts) {
        if (failure === null || failure === 'not_configured') {
          ongoing.delete(name)
          continue
        }
        const fromMs = ongoing.has(name) ? latest.get(name)!.fromMs : at
        ongoing.add(name)
        latest.set(name, { failure, fromMs, toMs: at })
      }
    },
    latest: (name) => latest.get(name) ?? null,
  }
}
