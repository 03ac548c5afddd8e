/** Compiles examples of the documentation. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PublicExport } from './exports.ts'

const root = join(import.meta.dirname, '../..')

/** A module that examples may use without importing it. */
export interface NameSource {
  /** The name to import from. */
  readonly name: string
  readonly exports: readonly Pick<PublicExport, 'name' | 'isType'>[]
}

/** The errors of the compiler in these files, by path. */
export async function typeErrors(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
    const compilerOptions = { lib: ['esnext', 'dom'], types: ['node'], noUnusedLocals: false }
    const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*/*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return await new Promise<string>((resolve) => {
      const tsc = join(root, 'node_modules/.bin/tsc')
      execFile(tsc, ['--noEmit', '--pretty', 'false'], { cwd: folder }, (_, stdout) => resolve(stdout))
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Imports of the names that an example uses without importing or declaring them. */
export function importsFor(example: string, sources: readonly NameSource[]): string {
  const ownNames = new Set(
    [...example.matchAll(/(?:const|let|function|class|type|interface|import) (\w+)/g)].map(([, name]) => name),
  )
  for (const [, names = ''] of example.matchAll(/const ([[{][\w\s,:]*)[\]}]/g))
    for (const name of names.split(/\W+/)) ownNames.add(name)
  for (const [, names = ''] of example.matchAll(/import (?:type )?\{([^}]*)\}/g))
    for (const name of names.split(',')) ownNames.add(name.replace(/^.* as /, '').trim())
  const code = example.replaceAll(/\/\/.*$/gm, '').replaceAll(/'[^'\n]*'/g, '')
  const usedNames = new Set([...code.matchAll(/(?<!\w|(?<!\.)\.)[A-Za-z]\w*(?!\s*:[^:])/g)].map(([name]) => name))
  return sources
    .map(({ name: source, exports }) => {
      const used = exports.filter(({ name }) => usedNames.has(name) && !ownNames.has(name))
      for (const { name } of used) ownNames.add(name)
      const names = used.map(({ name, isType }) => (isType ? `type ${name}` : name))
      return names.length === 0 ? '' : `import { ${names.join(', ')} } from '${source}'`
    })
    .join('\n')
}

/** The code blocks after `@example`. */
export function examplesIn(comment = ''): readonly string[] {
  return [...comment.matchAll(/^@example\n```ts\n(.*?)^```$/gms)].map(([, example = '']) => example)
}
