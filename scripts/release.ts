/**
 * Publishes all packages to npm: `npm run release`. `-- --dry-run` does everything except the upload, and lists sizes.
 * A workflow of the code host runs it when a tag is pushed. A repeated run publishes only what is missing.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findingsOf } from './pack/judge.ts'
import { pack, repositoryManifest } from './pack.ts'
import { releaseFaults } from './release/faults.ts'
import { isPublished, type Published, publish } from './release/publish.ts'
import { pendingChangesets } from './version.ts'

const root = join(import.meta.dirname, '..')

async function release(isDryRun: boolean): Promise<void> {
  const manifest = repositoryManifest()
  const faults = releaseFaults({
    manifest,
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    pending: pendingChangesets(root),
    tag: process.env.GITHUB_REF_TYPE === 'tag' ? process.env.GITHUB_REF_NAME : undefined,
  })
  for (const fault of faults) console.error(fault)
  if (faults.length > 0 && !isDryRun) throw new Error('Nothing was published.')
  for (const tarball of await pack(join(root, 'dist'), { isRelease: true })) {
    const findings = await findingsOf(tarball)
    if (findings.length > 0) throw new Error(`${tarball}: ${findings.join('\n')}`)
    const { id, ...sizes } = publish(tarball, { isDryRun: true })
    const isThere = !isDryRun && isPublished(id.slice(0, id.lastIndexOf('@')), manifest.version)
    if (!isDryRun && !isThere) publish(tarball, { isDryRun: false })
    console.log(`${id}: ${summary(sizes)}${isThere ? ', already published' : isDryRun ? ', dry run' : ', published'}`)
  }
}

function summary({ files, packedBytes, unpackedBytes }: Omit<Published, 'id'>): string {
  const kib = (bytes: number) => `${Math.round(bytes / 1024)} KiB`
  return `${files.length} files, ${kib(packedBytes)} packed, ${kib(unpackedBytes)} unpacked`
}

try {
  await release(process.argv.includes('--dry-run'))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
