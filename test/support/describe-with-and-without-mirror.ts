import type { MirrorConfig } from '../../src/config/mirror-config.ts'

/** Describes the same reads twice: from the systems, and from a mirror. The tests start their API with `mirror`, and fill it. */
export function describeWithAndWithoutMirror(name: string, tests: (mirror: MirrorConfig | null) => void): void {
  describe(name, () => tests(null))
  // Older than any test: nothing is stale.
  describe(`${name}, with a mirror`, () => tests({ maxAgeMs: 3_600_000 }))
}
