/** Publishes a tarball with npm. */
import { spawnSync } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { npm } from '../pack/npm.ts'

export interface PublishOptions {
  /** Do everything except the upload. */
  readonly isDryRun: boolean
}

export interface Published {
  readonly id: string
  readonly files: readonly string[]
  readonly packedBytes: number
  readonly unpackedBytes: number
}

/** `npm publish` with provenance, which only a workflow of a code host can give. */
export function publish(tarball: string, { isDryRun }: PublishOptions): Published {
  const mode = isDryRun ? ['--dry-run'] : ['--provenance']
  const args = ['publish', `./${basename(tarball)}`, '--json', '--access', 'public', ...mode]
  const report = JSON.parse(npm(args, dirname(tarball)))
  // With the name of the package as the key.
  const { id, files, size, unpackedSize } = report.id === undefined ? Object.values<typeof report>(report)[0] : report
  return {
    id,
    files: files.map(({ path }: { path: string }) => path),
    packedBytes: size,
    unpackedBytes: unpackedSize,
  }
}

/** Whether the registry has this version, such as from a release that was interrupted. */
export function isPublished(name: string, version: string): boolean {
  const { status } = spawnSync('npm', ['view', `${name}@${version}`, 'version'], {
    stdio: 'ignore',
    shell: process.platform === 'win32',
  })
  return status === 0
}
