type Manifest = Record<string, unknown>

/** The name is in a scope, so that nobody else can publish under it. It stays private: nothing has been published yet. */
const NAME = '@forecourt/server'

/** Returns the manifest of the npm package. It has neither tools nor the pinned Node: it runs on the Node of whoever installs it. */
export function packedManifest(manifest: Manifest): Manifest {
  const { scripts, devDependencies, optionalDependencies, ...kept } = manifest
  return { ...kept, name: NAME, engines: { node: '>=26' } }
}
