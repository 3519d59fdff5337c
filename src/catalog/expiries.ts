/** Stands for every list, search and facet: which products they hold is not known of each. */
export const LISTS = ''

/** When there are more, everything expires and they are forgotten: to remember each for ever would cost more than to ask anew. */
const MOST_TAGS = 10_000

/**
 * What has changed behind a cache, as versions that rise: what was asked for at an earlier version than that of its tags is not to be
 * served any more, even when it lands later. A tag is a SKU, or LISTS.
 */
export interface Expiries {
  /** Of this moment: kept with what is asked for now. */
  readonly version: number
  expire(tags: Iterable<string>): void
  expireAll(): void
  /** Whether what was asked for at that version has changed since. */
  isExpired(tag: string, version: number): boolean
}

export function createExpiries(): Expiries {
  const versions = new Map<string, number>()
  let version = 0
  /** Of the last expiry of everything. */
  let floor = 0

  const expireAll = () => {
    version += 1
    floor = version
    versions.clear()
  }

  return {
    get version() {
      return version
    },
    expire(tags) {
      version += 1
      for (const tag of tags) {
        versions.set(tag, version)
        if (versions.size > MOST_TAGS) return expireAll()
      }
    },
    expireAll,
    isExpired: (tag, asked) => asked < version && (asked < floor || (versions.get(tag) ?? 0) > asked),
  }
}
