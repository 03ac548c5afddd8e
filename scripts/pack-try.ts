/**
 * Tests the packages like a new user: `npm run pack:try` packs them, installs the tarballs into an empty folder,
 * creates a project with `create-nomen`, runs its tests, serves it, calls it and checks it.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { installedNodes, supportedNodes } from './pack/installed-nodes.ts'
import { findingsOf } from './pack/judge.ts'
import { npm } from './pack/npm.ts'
import { tryInstall, tryProject } from './pack/try-project.ts'
import { tryService } from './pack/try-service.ts'
import { type FrameworkTemplate, frameworkTemplates, tryTemplate } from './pack/try-template.ts'
import { tryTypes } from './pack/try-types.ts'
import { pack } from './pack.ts'
import { type Published, publish } from './release/publish.ts'

const root = join(import.meta.dirname, '..')

export interface TryOptions {
  /** Versions of Node, in addition to the one of this process. */
  readonly majors?: readonly string[]
  /** The packages for which npm makes a dry run: all, or only the last one. */
  readonly dryRuns?: 'all' | 'last'
  /** Templates of `nomen new` to install and run, in addition to the plain one. */
  readonly templates?: readonly FrameworkTemplate[]
}

/** Throws at the first fault. `report` gets progress messages. */
export async function packTry(
  report: (message: string) => void,
  { majors = supportedNodes, dryRuns = 'all', templates = frameworkTemplates }: TryOptions = {},
): Promise<void> {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const stage = mkdtempSync(join(root, 'dist/try-'))
  const folder = mkdtempSync(join(tmpdir(), 'nomen-try-'))
  try {
    const tarballs = await pack(stage)
    for (const tarball of tarballs) {
      const findings = await findingsOf(tarball)
      if (findings.length > 0) throw new Error(`${tarball}: ${findings.join('\n')}`)
    }
    report('Packed all packages; publint and attw found no problems.')
    for (const tarball of dryRuns === 'all' ? tarballs : tarballs.slice(-1))
      report(`npm would publish ${checkedContents(publish(tarball, { isDryRun: true }))}.`)
    const program = tryInstall(folder, tarballs)
    const project = tryProject(folder, program)
    report('Installed the packages, and a project of nomen new that uses them.')
    npm(['test'], project)
    for (const [version, program] of installedNodes(folder, majors)) {
      if (program !== process.execPath) npm(['exec', '--', 'vitest', 'run'], project, withNode(program))
      await tryService(project, program)
      report(`Tested, served, called and checked the project on Node ${version}.`)
    }
    for (const template of templates) {
      await tryTemplate(tryProject(folder, program, template), template)
      report(`Tested, built and served a project with the template ${template}.`)
    }
    tryTypes(project)
    report('Compiled the types with the module resolutions of Node and of bundlers.')
  } finally {
    for (const path of [stage, folder]) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The name and the number of files of a package. Throws if a file is missing, or does not belong into a package. */
function checkedContents({ id, files }: Published): string {
  const missing = ['LICENSE', 'README.md', 'package.json'].filter((path) => !files.includes(path))
  const extra = files.filter((path) => /\.test\.|\.tgz$|(^|\/)(node_modules|test)\//.test(path))
  if (missing.length + extra.length > 0) throw new Error(`${id}: missing ${missing}, not expected ${extra}`)
  return `${id} (${files.length} files)`
}

/** An environment whose PATH starts with the folder of this Node. */
function withNode(program: string): NodeJS.ProcessEnv {
  return { PATH: `${dirname(program)}${delimiter}${process.env.PATH}` }
}

if (import.meta.main) {
  try {
    await packTry(console.log)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
