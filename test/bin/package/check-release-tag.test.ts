import { expect } from 'chai'
import { checkReleaseTag } from '../../../src/bin/package/check-release-tag.ts'

describe('the tag of a release that is packed', () => {
  const release = { version: '1.2.0', tags: ['v1.2.0', 'stable'], changelog: '# Changelog\n\n## 1.2.0\n\n## 1.1.0\n' }

  it('is the version, which the changelog has', () => {
    checkReleaseTag(release)
  })

  it('may be missing', () => {
    checkReleaseTag({ ...release, tags: ['stable'], changelog: '## Unreleased\n' })
  })

  it('is not another version', () => {
    expect(() => checkReleaseTag({ ...release, tags: ['v1.3.0'] })).to.throw(
      'The commit has the tag v1.3.0, but package.json has the version 1.2.0.',
    )
  })

  it('is not missing from the changelog', () => {
    expect(() => checkReleaseTag({ ...release, changelog: '## Unreleased\n' })).to.throw(
      'CHANGELOG.md has no heading "## 1.2.0"',
    )
  })
})
