/**
 * Tests the packages like a new user: `npm run pack:try` packs them, installs the tarballs into an empty folder,
 * creates a project with `nomen new`, runs its tests, serves it, calls it and checks it.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { installedNodes, supportedNodes } from './pack/installed-nodes.ts'
import { findingsOf } from './pack/judge.ts'
import { npm } from './pack/npm.ts'
import { tryProject } from './pack/try-project.ts'
import { tryService } from './pack/try-service.ts'
import { tryTypes } from './pack/try-types.ts'
import { pack } from './pack.ts'

const root = join(import.meta.dirname, '..')

/** Throws at the first fault. `report` gets progress messages, `majors` are additional versions of Node. */
export async function packTry(report: (message: string) => void, majors = supportedNodes): Promise<void> {
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
    const project = tryProject(folder, tarballs)
    report('Installed the packages, and a project of nomen new that uses them.')
    npm(['test'], project)
    for (const [version, program] of installedNodes(folder, majors)) {
      if (program !== process.execPath) npm(['exec', '--', 'vitest', 'run'], project, withNode(program))
      await tryService(project, program)
      report(`Tested, served, called and checked the project on Node ${version}.`)
    }
    tryTypes(project)
    report('Compiled the types with the module resolutions of Node and of bundlers.')
  } finally {
    for (const path of [stage, folder]) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }
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
