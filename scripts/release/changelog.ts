/** The section of a release in CHANGELOG.md, from the changesets of `.changeset/`. */

/** The output of `changeset status --output`. */
export interface ReleaseStatus {
  readonly changesets: readonly Changeset[]
  readonly releases: readonly { readonly name: string; readonly newVersion: string }[]
}

interface Changeset {
  readonly releases: readonly { readonly name: string; readonly type: string }[]
  readonly summary: string
}

/** The heading of each kind of change, from the largest to the smallest. */
const headings = { major: 'Breaking changes', minor: 'Added and changed', patch: 'Fixed' } as const

/** The next version of all packages; undefined without a changeset. */
export function nextVersion({ releases }: ReleaseStatus): string | undefined {
  return releases[0]?.newVersion
}

/** Adds the section of the next version above those of earlier versions. */
export function withRelease(changelog: string, status: ReleaseStatus, date: string): string {
  const first = changelog.search(/^## /m)
  if (first === -1) throw new Error('CHANGELOG.md has no section of an earlier version.')
  return `${changelog.slice(0, first)}${section(status, date)}${changelog.slice(first)}`
}

/** Whether the changelog has a section of this version. */
export function hasRelease(changelog: string, version: string): boolean {
  return changelog.split('\n').some((line) => line === `## ${version}` || line.startsWith(`## ${version} `))
}

function section(status: ReleaseStatus, date: string): string {
  const groups = Object.entries(headings).flatMap(([type, heading]) => {
    const lines = status.changesets.filter((changeset) => largestType(changeset) === type).map(lineOf)
    return lines.length > 0 ? [`### ${heading}\n\n${lines.join('')}\n`] : []
  })
  return `## ${nextVersion(status)} (${date})\n\n${groups.join('')}`
}

function largestType({ releases }: Changeset): string | undefined {
  return Object.keys(headings).find((type) => releases.some((release) => release.type === type))
}

/** Further lines of a summary are indented, so that they stay in the list item. */
function lineOf({ summary }: Changeset): string {
  return `- ${summary.trim().replaceAll('\n', '\n  ')}\n`
}
