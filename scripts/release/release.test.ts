import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nextVersion, type ReleaseStatus, withRelease } from './changelog.ts'
import { type Release, releaseFaults } from './faults.ts'

const root = join(import.meta.dirname, '../..')

const status: ReleaseStatus = {
  changesets: [
    { releases: [{ name: '@nomen/core', type: 'patch' }], summary: 'Dates of leap years are accepted.' },
    {
      releases: [
        { name: '@nomen/cli', type: 'patch' },
        { name: '@nomen/server', type: 'minor' },
      ],
      summary: 'Two lines:\nthe second one.\n',
    },
  ],
  releases: [{ name: '@nomen/core', newVersion: '0.2.0' }],
}

describe('the changelog', () => {
  it('gets a section for the release, above earlier ones, with larger changes first', () => {
    expect(withRelease('# Changelog\n\nText.\n\n## 0.1.0\n\n- First.\n', status, '2027-01-31')).toBe(`# Changelog

Text.

## 0.2.0 (2027-01-31)

### Added and changed

- Two lines:
  the second one.

### Fixed

- Dates of leap years are accepted.

## 0.1.0

- First.
`)
  })

  it('keeps its version without changesets', () => {
    expect(nextVersion({ changesets: [], releases: [] })).toBeUndefined()
  })
})

describe('a release', () => {
  const urls = {
    repository: 'git+https://code.example.com/nomen.git',
    homepage: 'https://nomen.example.com/',
    bugs: 'https://code.example.com/nomen/issues',
  }
  const release: Release = {
    manifest: { version: '0.2.0', ...urls },
    changelog: '# Changelog\n\n## 0.2.0 (2027-01-31)\n',
    pending: [],
    tag: 'v0.2.0',
  }

  it('is possible with repository, section, tag, and without changesets', () => {
    expect(releaseFaults(release)).toEqual([])
    expect(releaseFaults({ ...release, tag: undefined })).toEqual([])
  })

  it.each<[string, Partial<Release>]>([
    ...Object.keys(urls).map((name): [string, Partial<Release>] => [
      `"${name}"`,
      { manifest: { version: '0.2.0', ...urls, [name]: undefined } },
    ]),
    ['The tag is v0.1.0', { tag: 'v0.1.0' }],
    ['1 changesets are not released', { pending: ['next.md'] }],
    ['"## 0.2.0"', { changelog: '# Changelog\n\n## 0.2.01\n' }],
  ])('is refused: %s', (text, change) => {
    expect(releaseFaults({ ...release, ...change })).toEqual([expect.stringContaining(text)])
  })
})

it('every package has the version of the repository, a description and keywords', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
  const { version } = read('.')
  for (const name of readdirSync(join(root, 'packages')))
    expect(read(join('packages', name)), name).toMatchObject({
      version,
      description: expect.stringMatching(/^.{30,}\.$/),
      keywords: expect.arrayContaining(['nomen', 'rest', 'api']),
      license: 'MIT',
    })
})
