/**
 * Packs the packages as they are published: `npm run pack` puts a tarball of each into dist/. With `--release` nothing may
 * be left out.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { compile } from './pack/compile.ts'
import { complaintsAbout } from './pack/judge.ts'
import { type Manifest, publishedManifest } from './pack/manifest.ts'
import { npm } from './pack/npm.ts'

const root = join(import.meta.dirname, '..')

/** In an order in which each needs only those before it. */
const packages = ['core', 'server', 'conventions', 'cli']

/** What is built beforehand: the console, which the command carries, and the script of the docs page. */
const built = ['packages/cli/static/console/index.html', 'packages/server/static/reference/scalar.js.gz']

const isTest = (path: string): boolean => /\.test(-d)?\.tsx?$/.test(path)

export interface PackOptions {
  /** Refuse to pack without the parts that others build first. */
  readonly isRelease?: boolean
}

/** Packs all of them, and gives the paths of their tarballs. The folder must lie in the repository. */
export function pack(folder: string, { isRelease = false }: PackOptions = {}): readonly string[] {
  const missing = built.find((path) => !existsSync(join(root, path)))
  if (isRelease && missing !== undefined)
    throw new Error(`${missing} is not built, and a release carries it.\n  Build it with: npm run console`)
  const stage = join(folder, 'package')
  rmSync(stage, { recursive: true, force: true })
  mkdirSync(stage, { recursive: true })
  return packages.map((name, index) => {
    const staged = stagePackage(name, stage)
    compile(staged, stage, packages.slice(0, index))
    return packFolder(staged, folder)
  })
}

function stagePackage(name: string, stage: string): string {
  const from = join(root, 'packages', name)
  const to = join(stage, name)
  cpSync(join(from, 'src'), join(to, 'src'), { recursive: true, filter: (path) => !isTest(path) })
  if (existsSync(join(from, 'static'))) cpSync(join(from, 'static'), join(to, 'static'), { recursive: true })
  cpSync(join(from, 'README.md'), join(to, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'))
  const manifest: Manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
  return to
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
    for (const tarball of pack(join(root, 'dist'), { isRelease: process.argv.includes('--release') })) {
      const complaints = await complaintsAbout(tarball)
      for (const complaint of complaints) console.error(`${relative('.', tarball)} ${complaint}`)
      if (complaints.length > 0) process.exitCode = 1
      else console.log(relative('.', tarball))
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
