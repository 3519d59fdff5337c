interface Build {
  /** The version in package.json. */
  version: string
  /** The tags of the commit. */
  tags: readonly string[]
  /** The abbreviated id of the commit, followed by `-dirty` if files were changed. */
  commit: string | undefined
  changelog: string
}

/**
 * Returns the version of a package: the version in package.json, followed by the commit unless the commit is a release. Throws if the tag differs
 * from that version, or if the changelog has no heading with it.
 */
export function packedVersion({ version, tags, commit, changelog }: Build): string {
  const unreleased = commit === undefined ? version : `${version}+${commit}`
  const releases = tags.filter((tag) => /^v\d/.test(tag))
  if (releases.length === 0) return unreleased
  if (!releases.includes(`v${version}`))
    throw new Error(`The commit has the tag ${releases.join(', ')}, but package.json has the version ${version}.`)
  if (!changelog.split('\n').includes(`## ${version}`))
    throw new Error(`The commit has the tag v${version}, but CHANGELOG.md has no heading "## ${version}".`)
  return commit?.endsWith('-dirty') ? unreleased : version
}
