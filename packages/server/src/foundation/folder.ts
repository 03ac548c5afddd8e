/** Creates folders with their parents. Node's recursive mkdir never returns for some paths, such as those below /proc. */
import { mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await mkdir(path).catch(ignoreExisting)
  }
}

export function makeFolderSync(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    makeFolderSync(dirname(path))
    try {
      mkdirSync(path)
    } catch (secondError) {
      ignoreExisting(secondError)
    }
  }
}

/** Another process may have created the folder in between. */
function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
