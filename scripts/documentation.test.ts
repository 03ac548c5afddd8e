// The JSDoc of all public exports: each export has a comment, and each value has an example that compiles.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { entryPoints } from './documentation/entry-points.ts'
import { exportsOf, memberComments, type PublicExport } from './documentation/exports.ts'

const root = join(import.meta.dirname, '..')

const documentedOptions = entryPoints
  .filter(({ name }) => !name.endsWith('/internal'))
  .map(({ name, file }) => ({ name, exports: firstOfEach(exportsOf(file)) }))

/** Only the first of several overloads needs a comment. */
function firstOfEach(exported: readonly PublicExport[]): readonly PublicExport[] {
  return [...new Map(exported.toReversed().map((entry) => [entry.name, entry])).values()].reverse()
}

describe.each(documentedOptions)('$name', ({ exports }) => {
  it('has a comment for every export', () => {
    expect(exports.filter(({ comment }) => !comment).map(({ name }) => name)).toEqual([])
  })

  it('has an example for every function, class and object', () => {
    const values = exports.filter(({ isType, comment }) => !isType && examplesIn(comment).length === 0)
    expect(values.map(({ name }) => name)).toEqual([])
  })

  it('starts every comment with a sentence', () => {
    const invalidComments = exports.filter(({ comment = '' }) => !/^[A-Z`0-9].*?[.:](\s|$)/s.test(comment))
    expect(invalidComments.map(({ name }) => name)).toEqual([])
  })
})

describe('options', () => {
  it.each([
    ['core/src/noun/noun.ts', 'NounOptions'],
    ['core/src/noun/link.ts', 'LinkOptions'],
    ['core/src/resource/resource.ts', 'ResourceOptions'],
    ['core/src/resource/resource.ts', 'PageSize'],
    ['core/src/resource/operation.ts', 'OperationOptions'],
    ['core/src/api/check.ts', 'ApiOptions'],
    ['core/src/declaration/deprecation.ts', 'Deprecation'],
    ['core/src/field/limits.ts', 'TextLimits'],
    ['core/src/field/limits.ts', 'TextOptions'],
    ['core/src/field/limits.ts', 'DecimalLimits'],
    ['core/src/field/limits.ts', 'Range'],
    ['core/src/field/field.ts', 'Field'],
    ['server/src/define/definition.ts', 'ServiceOptions'],
  ])('of %s, %s, have a comment with an example', (file, name) => {
    const comments = memberComments(join(root, 'packages', file), name)
    expect(comments.size).toBeGreaterThan(0)
    // The plain data of a field is not an option.
    const members = [...comments].filter(([member]) => member !== 'spec')
    expect(members.filter(([, comment]) => !/`[^`]+`|@example/.test(comment ?? '')).map(([member]) => member)).toEqual(
      [],
    )
  })
})

it('has examples that compile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  const compilerOptions = { lib: ['esnext', 'dom'], types: ['node'], noUnusedLocals: false }
  const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*/*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const { name: entry, exports } of documentedOptions) {
    const subfolder = join(folder, entry.replaceAll(/\W+/g, '-').slice(1))
    mkdirSync(subfolder)
    writeFileSync(join(subfolder, 'service.ts'), `export { directoryService as default } from '${samples}'\n`)
    writeFileSync(join(subfolder, 'directory.ts'), `export { directory } from '${samples}'\n`)
    for (const { name, comment } of exports)
      for (const [index, example] of examplesIn(comment).entries())
        writeFileSync(join(subfolder, `${name}-${index}.ts`), `${importsFor(example, entry)}\n${example}\nexport {}\n`)
  }
  const output = await new Promise<string>((resolve) => {
    const tsc = join(root, 'node_modules/.bin/tsc')
    execFile(tsc, ['--noEmit', '--pretty', 'false'], { cwd: folder }, (_, stdout) => resolve(stdout))
  })
  expect(output).toBe('')
})

/** The code blocks after `@example`. */
function examplesIn(comment = ''): readonly string[] {
  return [...comment.matchAll(/^@example\n```ts\n(.*?)^```$/gms)].map(([, example = '']) => example)
}

const samples = join(import.meta.dirname, 'documentation/samples.ts')

/** Imports of the names that an example uses without importing or declaring them. */
function importsFor(example: string, entry: string): string {
  const ownNames = new Set(
    [...example.matchAll(/(?:const|let|function|class|type|interface|import) (\w+)/g)].map(([, name]) => name),
  )
  for (const [, names = ''] of example.matchAll(/const ([[{][\w\s,:]*)[\]}]/g))
    for (const name of names.split(/\W+/)) ownNames.add(name)
  for (const [, names = ''] of example.matchAll(/import (?:type )?\{([^}]*)\}/g))
    for (const name of names.split(',')) ownNames.add(name.replace(/^.* as /, '').trim())
  const code = example.replaceAll(/\/\/.*$/gm, '').replaceAll(/'[^'\n]*'/g, '')
  const usedNames = new Set([...code.matchAll(/(?<![.\w])[A-Za-z]\w*(?!\s*:[^:])/g)].map(([name]) => name))
  const sources = [
    ...documentedOptions.filter(({ name }) => name === entry),
    { name: samples, exports: exportsOf(samples) },
    ...documentedOptions.filter(({ name }) => name === '@nomen/core' || name === '@nomen/server'),
  ]
  return sources
    .map(({ name: source, exports }) => {
      const used = exports.filter(({ name }) => usedNames.has(name) && !ownNames.has(name))
      for (const { name } of used) ownNames.add(name)
      const names = used.map(({ name, isType }) => (isType ? `type ${name}` : name))
      return names.length === 0 ? '' : `import { ${names.join(', ')} } from '${source}'`
    })
    .join('\n')
}
