/** The reasons why a release cannot be published yet. */
import type { RepositoryManifest } from '../pack/manifest.ts'
import { hasRelease } from './changelog.ts'

export interface Release {
  readonly manifest: RepositoryManifest & { readonly version: string }
  readonly changelog: string
  /** Changesets that no release contains yet. */
  readonly pending: readonly string[]
  /** The tag that was pushed. */
  readonly tag: string | undefined
}

/** The URLs of the project that npm shows. Only package.json of the repository has them. */
const urls = {
  repository: 'the URL of the code host: npm needs it for provenance',
  homepage: 'the URL of the documentation site',
  bugs: 'the URL of the issues',
} as const

/** Each reason, with its fix. */
export function releaseFaults({ manifest, changelog, pending, tag }: Release): readonly string[] {
  const { version } = manifest
  return [
    ...Object.entries(urls).flatMap(([name, meaning]) =>
      manifest[name] === undefined ? [`package.json has no "${name}". Set it to ${meaning}.`] : [],
    ),
    ...(tag !== undefined && tag !== `v${version}`
      ? [`The tag is ${tag}, but the version is ${version}. Push the tag v${version}.`]
      : []),
    ...(pending.length > 0 ? [`${pending.length} changesets are not released. Run npm run release:version.`] : []),
    ...(hasRelease(changelog, version) ? [] : [`CHANGELOG.md has no section "## ${version}". Add it.`]),
  ]
}
