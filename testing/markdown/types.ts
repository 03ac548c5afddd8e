/** Compiles what a page has written: strictly, with what its reader has installed. */
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

/** What the compiler has to say of these files, by the settings of the folder where it has some; nothing where all is well. */
export async function typeFaults(files: readonly string[], folder: string, own: string): Promise<string> {
  if (files.length === 0) return ''
  const theirs = join(folder, 'tsconfig.json')
  const settings = existsSync(theirs) ? { extends: theirs } : { extends: join(root, 'tsconfig.json'), compilerOptions }
  const path = join(own, 'tsconfig.json')
  writeFileSync(path, JSON.stringify({ ...settings, files, include: [] }))
  const given = ['--noEmit', '--pretty', 'false', '--project', path]
  return new Promise((resolve) => {
    execFile(join(root, 'node_modules/.bin/tsc'), given, { cwd: folder }, (error, output) =>
      resolve(error && output === '' ? error.message : output),
    )
  })
}
