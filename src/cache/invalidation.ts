/** Stands for every list, search and facet: which products they hold is not known of each. */
export const LISTS_TAG = ''

/** When there are more, everything expires and they are forgotten: to remember each for ever would cost more than to ask anew. */
const MOST_TAGS = 10_000

/**
 * What has changed behind a cache, as versions that rise: what was asked for at an earlier version than that of its tags is not to be
 * served any more, even when it lands later. A tag is a SKU, or LISTS.
 */
export interface Invalidations {
  /** Of this moment: kept with what is asked for now. */
  readonly version: number
  invalidate(tags: Iterable<string>): void
  invalidateAll(): void
  /** Whether what was asked for at that version has changed since. */
  isInvalidated(tag: string, version: number): boolean
  /** Expires them (`null`: all) for good: they are not to be served even when nothing newer can be had. */
  purge(tags: Iterable<string> | null): void
  isPurged(tag: string, version: number): boolean
}

/** The versions at which tags were last named. */
function createNamed() {
  const versions = new Map<string, number>()
  /** Of the last time that all were. */
  let floor = 0
  const nameAll = (version: number) => {
    floor = version
    versions.clear()
  }
  return {
    nameAll,
    name(tags: Iterable<string>, version: number) {
      for (const tag of tags) {
        versions.set(tag, version)
        if (versions.size > MOST_TAGS) return nameAll(version)
      }
    },
    since: (tag: string, asked: number) => asked < floor || (versions.get(tag) ?? 0) > asked,
  }
}

export function createInvalidations(): Invalidations {
  const expired = createNamed()
  const purged = createNamed()
  let version = 0

  return {
    get version() {
      return version
    },
    invalidate(tags) {
      version += 1
      expired.name(tags, version)
    },
    invalidateAll() {
      version += 1
      expired.nameAll(version)
    },
    isInvalidated: (tag, asked) => asked < version && expired.since(tag, asked),
    purge(tags) {
      version += 1
      const all = tags && [...tags]
      for (const named of [expired, purged]) {
        if (all) named.name(all, version)
        else named.nameAll(version)
      }
    },
    isPurged: (tag, asked) => asked < version && purged.since(tag, asked),
  }
}
