/** Creates a project like a new user: in an empty folder outside the repository, from only the tarballs. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './npm.ts'

const quiet = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']

/** Installs the tarballs, and returns the path of the program of `npm create nomen`. */
export function tryInstall(folder: string, tarballs: readonly string[]): string {
  const install = join(folder, 'install')
  mkdirSync(install)
  npm(['install', ...quiet, ...tarballs], install)
  return join(install, 'node_modules/create-nomen/dist/create-nomen.js')
}

/** Creates a project with the installed program, without its dependencies. Returns its folder. */
export function createProject(folder: string, program: string, template = 'plain'): string {
  execFileSync(process.execPath, [program, template, '--noun', 'ticket', '--template', template], { cwd: folder })
  return join(folder, template)
}

/** Creates a project, and installs its dependencies. Returns its folder. */
export function tryProject(folder: string, program: string, template = 'plain'): string {
  const project = createProject(folder, program, template)
  overrideRolldown(project)
  npm(['install', ...quiet], project)
  return project
}

/** The newest rolldown may have no binary for this machine yet; the version of this repository has one. */
function overrideRolldown(project: string): void {
  const path = join(project, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'))
  const rolldown = lock.packages['node_modules/rolldown'].version
  writeFileSync(path, JSON.stringify({ ...manifest, overrides: { rolldown } }, null, 2))
}
