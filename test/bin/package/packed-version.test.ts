import { expect } from 'chai'
import { packedVersion } from '../../../src/bin/package/packed-version.ts'

describe('the version of a package', () => {
  const release = {
    version: '1.2.0',
    tags: ['v1.2.0', 'stable'],
    commit: '0a1b2c3d',
    changelog: '# Changelog\n\n## 1.2.0\n\n## 1.1.0\n',
  }

  it('is that of the tag, which package.json and the changelog have', () => {
    expect(packedVersion(release)).to.equal('1.2.0')
  })

  it('has the commit if the commit is no release', () => {
    expect(packedVersion({ ...release, tags: ['stable'], changelog: '## Unreleased\n' })).to.equal('1.2.0+0a1b2c3d')
  })

  it('says that files of a release were changed', () => {
    expect(packedVersion({ ...release, commit: '0a1b2c3d-dirty' })).to.equal('1.2.0+0a1b2c3d-dirty')
  })

  it('is that of package.json if nothing else is known', () => {
    expect(packedVersion({ ...release, tags: [], commit: undefined })).to.equal('1.2.0')
  })

  it('must be that of the tag', () => {
    expect(() => packedVersion({ ...release, tags: ['v1.3.0'] })).to.throw(
      'The commit has the tag v1.3.0, but package.json has the version 1.2.0.',
    )
  })

  it('must be in the changelog', () => {
    expect(() => packedVersion({ ...release, changelog: '## Unreleased\n' })).to.throw(
      'CHANGELOG.md has no heading "## 1.2.0"',
    )
  })
})
