/**
 * Prepares a release: `npm run release:version` moves the changesets into CHANGELOG.md and sets the version of all packages.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npm } from './pack/npm.ts'
import { nextVersion, type ReleaseStatus, withRelease } from './release/changelog.ts'

/** Returns the new version; undefined if there is no changeset. */
export function setVersion(root: string, date = new Date().toISOString().slice(0, 10)): string | undefined {
  if (pendingChangesets(root).length === 0) return undefined
  const status = readStatus(root)
  const version = nextVersion(status)
  if (version === undefined) return undefined
  const changelog = join(root, 'CHANGELOG.md')
  writeFileSync(changelog, withRelease(readFileSync(changelog, 'utf8'), status, date))
  changeset(root, 'version')
  // Changesets changes the workspaces only.
  const manifest = join(root, 'package.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/("version": ")[^"]+/, `$1${version}`))
  npm(['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline'], root)
  return version
}

/** The changesets that no release contains yet. */
export function pendingChangesets(root: string): readonly string[] {
  return readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md')
}

function readStatus(root: string): ReleaseStatus {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-release-'))
  try {
    const output = join(folder, 'status.json')
    // Changesets takes the path from the root of the repository.
    changeset(root, 'status', `--output=${relative(root, output)}`)
    return JSON.parse(readFileSync(output, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function changeset(root: string, ...args: readonly string[]): void {
  const program = fileURLToPath(import.meta.resolve('@changesets/cli/bin.js'))
  execFileSync(process.execPath, [program, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

if (import.meta.main) {
  const version = setVersion(join(import.meta.dirname, '..'))
  console.log(
    version === undefined ? 'There is no changeset. Add one with: npx changeset' : `The next release is ${version}.`,
  )
  process.exitCode = version === undefined ? 1 : 0
}
