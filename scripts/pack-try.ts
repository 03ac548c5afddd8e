/**
 * Tries the packages as a new user would: `npm run pack:try` packs them, installs the tarballs into an empty folder, begins
 * a project there with `nomen new`, runs its tests, serves it, calls it and checks it.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { complaintsAbout } from './pack/judge.ts'
import { npm } from './pack/npm.ts'
import { programs, tryProject } from './pack/try-project.ts'
import { tryService } from './pack/try-service.ts'
import { tryTypes } from './pack/try-types.ts'
import { pack } from './pack.ts'

const root = join(import.meta.dirname, '..')

/** Throws at the first thing that a new user would stumble over. `tell` is told how far it is. */
export async function packTry(tell: (message: string) => void): Promise<void> {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const stage = mkdtempSync(join(root, 'dist/try-'))
  const folder = mkdtempSync(join(tmpdir(), 'nomen-try-'))
  try {
    const tarballs = pack(stage)
    for (const tarball of tarballs) {
      const complaints = await complaintsAbout(tarball)
      if (complaints.length > 0) throw new Error(`${tarball}: ${complaints.join('\n')}`)
    }
    tell('The packages are packed, and publint and attw have nothing to say of them.')
    const project = tryProject(folder, tarballs)
    tell('They are installed, and nomen new has written a project.')
    npm(['test'], project)
    for (const [version, program] of programs(project)) {
      if (program !== process.execPath) npm(['exec', '--', 'vitest', 'run'], project, withNode(program))
      await tryService(project, program)
      tell(`On Node ${version} it passes its tests, is served, called and checked.`)
    }
    tryTypes(project)
    tell('Its types hold as Node finds packages, and as bundlers do.')
  } finally {
    for (const used of [stage, folder]) rmSync(used, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** An environment in which that Node is the one that is found. */
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
