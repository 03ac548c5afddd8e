/** A project of a new user, in an empty folder outside the repository, with nothing of it but the tarballs. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { npm } from './npm.ts'

/** What a project is called here, and its first noun. */
const given = ['new', 'desk', '--noun', 'ticket']

const source = join(import.meta.dirname, '../../packages/cli/src/nomen.ts')

/** The oldest Node that is promised, as npm has it for this machine; optional, since npm may not. */
const olderNode = `node-${process.platform === 'darwin' ? 'bin-' : ''}${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

type Dependencies = Readonly<Record<string, string>>
type ProjectManifest = { readonly dependencies: Dependencies; readonly devDependencies: Dependencies }

/**
 * Installs the tarballs and what a project depends on, once, and lets the installed command write the project. Gives the
 * folder of the project, which holds the installed packages then.
 */
export function tryProject(folder: string, tarballs: readonly string[]): string {
  const wanted = plannedManifest(folder)
  const install = join(folder, 'install')
  mkdirSync(install)
  writeFileSync(
    join(install, 'package.json'),
    JSON.stringify({
      private: true,
      dependencies: { ...wanted.dependencies, ...wanted.devDependencies, ...packed(tarballs) },
      optionalDependencies: { [olderNode]: '24' },
      overrides: { rolldown: lockedVersion('rolldown') },
    }),
  )
  npm(['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], install)
  const command = join(install, 'node_modules/@nomen/cli/dist/nomen.js')
  execFileSync(process.execPath, [command, ...given], { cwd: folder })
  const project = join(folder, 'desk')
  const { dependencies, devDependencies } = manifestIn(project)
  if (JSON.stringify([dependencies, devDependencies]) !== JSON.stringify([wanted.dependencies, wanted.devDependencies]))
    throw new Error('The packed command writes a project with other dependencies than the command of the sources.')
  renameSync(join(install, 'node_modules'), join(project, 'node_modules'))
  return project
}

/** The programs that the project is tried with, by the name of each. */
export function programs(project: string): ReadonlyMap<string, string> {
  const older = join(project, 'node_modules', olderNode, 'bin', basename(process.execPath))
  const found = new Map([[process.version, process.execPath]])
  try {
    found.set(execFileSync(older, ['--version'], { encoding: 'utf8' }).trim(), older)
  } catch {
    console.warn(`${olderNode}@24 could not be had: only Node ${process.version} is tried.`)
  }
  return found
}

/** What the project of a new user depends on: as the sources say, before there is an installed command to ask. */
function plannedManifest(folder: string): ProjectManifest {
  execFileSync(process.execPath, [source, ...given], { cwd: folder })
  const manifest = manifestIn(join(folder, 'desk'))
  rmSync(join(folder, 'desk'), { recursive: true })
  return manifest
}

function manifestIn(folder: string): ProjectManifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/**
 * The version of a package that this repository is installed with. What brings a program for each platform may be had in
 * its newest version for some of them only.
 */
function lockedVersion(name: string): string {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'))
  return lock.packages[`node_modules/${name}`].version
}

/** Each package by its tarball, in place of the one that a registry would have. */
function packed(tarballs: readonly string[]): Dependencies {
  return Object.fromEntries(
    tarballs.map((path) => [`@nomen/${/nomen-(\w+)-/.exec(basename(path))?.[1]}`, `file:${path}`]),
  )
}
