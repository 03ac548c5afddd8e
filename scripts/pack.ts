/**
 * Packs the packages for publication: `npm run pack` writes a tarball of each into dist/. With `--release`, all built parts
 * must exist.
 */
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bundle } from './pack/bundle.ts'
import { declareTypes } from './pack/declare-types.ts'
import { findingsOf } from './pack/judge.ts'
import { type Manifest, publishedManifest, type RepositoryManifest } from './pack/manifest.ts'
import { npm } from './pack/npm.ts'

const root = join(import.meta.dirname, '..')

/** Ordered by dependency: each package needs only earlier ones. */
const packages = ['core', 'server', 'conventions', 'cli', 'create-nomen']

/** Files that other scripts build: the console in the cli package, and the script of the API reference. */
const built = ['packages/cli/static/console/index.html', 'packages/server/static/reference/scalar.js.gz']

const isTest = (path: string): boolean => /\.test(-d)?\.tsx?$/.test(path)

export interface PackOptions {
  /** Fail if a built file is missing. */
  readonly isRelease?: boolean
}

/** Packs all packages and returns the paths of the tarballs. The folder must be inside the repository. */
export async function pack(folder: string, { isRelease = false }: PackOptions = {}): Promise<readonly string[]> {
  const missing = built.find((path) => !existsSync(join(root, path)))
  if (isRelease && missing !== undefined)
    throw new Error(`${missing} does not exist, but a release needs it.\n  Build it with: npm run console`)
  const stage = join(folder, 'package')
  rmSync(stage, { recursive: true, force: true })
  mkdirSync(stage, { recursive: true })
  const tarballs: string[] = []
  for (const [index, name] of packages.entries()) {
    const staged = await stagePackage(name, stage)
    declareTypes(staged, stage, packages.slice(0, index))
    tarballs.push(packFolder(staged, folder))
  }
  return tarballs
}

async function stagePackage(name: string, stage: string): Promise<string> {
  const from = join(root, 'packages', name)
  const to = join(stage, name)
  cpSync(join(from, 'src'), join(to, 'src'), { recursive: true, filter: (path) => !isTest(path) })
  if (existsSync(join(from, 'static'))) cpSync(join(from, 'static'), join(to, 'static'), { recursive: true })
  if (name === 'cli')
    // Editors show the API reference from the packages themselves.
    for (const page of globSync('docs/**/*.md', { cwd: root, exclude: ['docs/api/**'] }))
      cpSync(join(root, page), join(to, page))
  cpSync(join(from, 'README.md'), join(to, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'))
  const manifest: Manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  await bundle(to, manifest)
  writeFileSync(
    join(to, 'package.json'),
    `${JSON.stringify(publishedManifest(manifest, repositoryManifest(), `packages/${name}`), null, 2)}\n`,
  )
  return to
}

/** The manifest of the repository. */
export function repositoryManifest(): RepositoryManifest & { readonly version: string } {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

function packFolder(staged: string, destination: string): string {
  const before = new Set(readdirSync(destination))
  const { name, version }: Manifest = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8'))
  const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
  if (before.has(file)) rmSync(join(destination, file))
  npm(['pack', '--silent', '--pack-destination', destination], staged)
  return join(destination, file)
}

if (import.meta.main) {
  try {
    for (const tarball of await pack(join(root, 'dist'), { isRelease: process.argv.includes('--release') })) {
      const findings = await findingsOf(tarball)
      for (const finding of findings) console.error(`${relative('.', tarball)} ${finding}`)
      if (findings.length > 0) process.exitCode = 1
      else console.log(relative('.', tarball))
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
