type Manifest = Record<string, unknown>

interface Lock {
  packages: Record<string, Manifest & { dev?: boolean; devOptional?: boolean }>
}

/** The name is in a scope, so that nobody else can publish under it. It stays private: nothing has been published yet. */
const NAME = '@forecourt/server'

/** Returns the manifest of the npm package. It has neither tools nor the pinned Node: it runs on the Node of whoever installs it. */
export function packedManifest(manifest: Manifest): Manifest {
  const { scripts, devDependencies, optionalDependencies, ...kept } = manifest
  return { ...kept, name: NAME, engines: { node: '>=26' } }
}

/** Returns the lock of the npm package, as npm-shrinkwrap.json: its dependencies are installed in the versions that were tested. */
export function packedLock(lock: Lock, manifest: Manifest): Manifest {
  const { name, version, license, dependencies, bin, engines } = manifest
  const pinned = Object.keys((lock.packages['']!.optionalDependencies as object | undefined) ?? {})
  const packages = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional }]) =>
      path !== '' && !dev && !devOptional && !pinned.includes(path.replace(/^node_modules\//, '')),
  )
  const root = { name, version, license, dependencies, bin, engines }
  return { ...lock, name, version, packages: { '': root, ...Object.fromEntries(packages) } }
}
