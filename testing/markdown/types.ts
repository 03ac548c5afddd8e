/** Compiles the files of a page strictly, with the packages that its reader has installed. */
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

const compilerOptions = {
  lib: ['esnext', 'dom', 'dom.iterable'],
  jsx: 'react-jsx',
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
}

/** The errors of the compiler, with the settings of the folder, if it has any; empty if there are none. */
export async function typeFaults(files: readonly string[], folder: string, ownSettings: string): Promise<string> {
  if (files.length === 0) return ''
  const readerSettings = join(folder, 'tsconfig.json')
  const typeRoots = [join(folder, 'node_modules/@types')]
  const settings = existsSync(readerSettings)
    ? { extends: readerSettings, compilerOptions: { typeRoots } }
    : { extends: join(root, 'tsconfig.json'), compilerOptions }
  const path = join(ownSettings, 'tsconfig.json')
  writeFileSync(path, JSON.stringify({ ...settings, files, include: [] }))
  // The links lead to our sources, which are compiled with the page and have stricter settings.
  const args = ['--noEmit', '--pretty', 'false', '--exactOptionalPropertyTypes', '--project', path]
  return new Promise((resolve) => {
    execFile(join(root, 'node_modules/.bin/tsc'), args, { cwd: folder }, (error, output) =>
      resolve(error && output === '' ? error.message : output),
    )
  })
}
