/** The tag of every list, search and facet: the products they contain are not tracked. */
export const LISTS_TAG = ''

/** The tag of everything that depends on imported references. No SKU has a control character. */
export const REFERENCES_TAG = '\u0001references'

/** With more tags than this, everything is invalidated and the tags are forgotten: reading again costs less than remembering each forever. */
const MAX_TAGS = 10_000

/**
 * Upstream changes, as increasing versions. A value that was requested before the last invalidation of its tag is not served, even
 * if it arrives later. A tag is a SKU, LISTS_TAG or REFERENCES_TAG.
 */
export interface Invalidations {
  /** The current version: store it with what is requested now. */
  readonly version: number
  invalidate(tags: Iterable<string>): void
  invalidateAll(): void
  /** Returns whether the tag was invalidated after that version. */
  isInvalidated(tag: string, version: number): boolean
  /** Invalidates these tags (`null`: all) for good: their values are not served as last-good either. */
  purge(tags: Iterable<string> | null): void
  isPurged(tag: string, version: number): boolean
}

/** The versions at which tags were last invalidated. */
function createTagVersions() {
  const versions = new Map<string, number>()
  /** The version at which all tags were invalidated. */
  let floor = 0
  const markAll = (version: number) => {
    floor = version
    versions.clear()
  }
  return {
    markAll,
    mark(tags: Iterable<string>, version: number) {
      for (const tag of tags) {
        versions.set(tag, version)
        if (versions.size > MAX_TAGS) return markAll(version)
      }
    },
    since: (tag: string, requestedAt: number) => requestedAt < floor || (versions.get(tag) ?? 0) > requestedAt,
  }
}

export function createInvalidations(): Invalidations {
  const invalidated = createTagVersions()
  const purged = createTagVersions()
  let version = 0

  return {
    get version() {
      return version
    },
    invalidate(tags) {
      version += 1
      invalidated.mark(tags, version)
    },
    invalidateAll() {
      version += 1
      invalidated.markAll(version)
    },
    isInvalidated: (tag, requestedAt) => requestedAt < version && invalidated.since(tag, requestedAt),
    purge(tags) {
      version += 1
      const all = tags && [...tags]
      for (const versions of [invalidated, purged]) {
        if (all) versions.mark(all, version)
        else versions.markAll(version)
      }
    },
    isPurged: (tag, requestedAt) => requestedAt < version && purged.since(tag, requestedAt),
  }
}
