import { canonicalizeAddress } from '../security/ip-address.ts'

const wildcardHosts: ReadonlySet<unknown> = new Set(['0.0.0.0', '::'])

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1)$/

/** Returns whether only this machine can reach the host. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(canonicalizeAddress(host) ?? host)

/** Returns whether a host means every address of this machine. Clients cannot connect to it. */
export const isWildcardHost = (host: unknown): boolean => wildcardHosts.has(host)
