interface Build {
  /** Of package.json. */
  version: string
  /** The tags of the commit. */
  tags: readonly string[]
  /** Its short name; `-dirty` follows if files were changed. */
  commit: string | undefined
  changelog: string
}

/**
 * Returns the version of a package: that of the tag, or that of package.json and the commit if the commit is no release. Throws if the tag is not the
 * version of package.json, or the changelog does not have it.
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
