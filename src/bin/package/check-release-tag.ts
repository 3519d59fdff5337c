interface Release {
  version: string
  /** The tags of the commit. */
  tags: readonly string[]
  changelog: string
}

/** Throws if the commit is tagged as a release that is not the one that is packed, or that the changelog does not have. */
export function checkReleaseTag({ version, tags, changelog }: Release): void {
  const releases = tags.filter((tag) => /^v\d/.test(tag))
  if (releases.length === 0) return
  if (!releases.includes(`v${version}`))
    throw new Error(`The commit has the tag ${releases.join(', ')}, but package.json has the version ${version}.`)
  if (!changelog.split('\n').includes(`## ${version}`))
    throw new Error(`The commit has the tag v${version}, but CHANGELOG.md has no heading "## ${version}".`)
}
