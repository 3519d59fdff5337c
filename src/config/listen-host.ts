const wildcardHosts: ReadonlySet<unknown> = new Set(['0.0.0.0', '::'])

/** Tests whether a host means every address of this machine; clients cannot connect to it. */
export const isWildcardHost = (host: unknown): boolean => wildcardHosts.has(host)
