// The JSDoc of all public exports: each export has a comment, and each value has an example that compiles.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryPoints } from './documentation/entry-points.ts'
import { importsFor, type NameSource, typeErrors } from './documentation/examples.ts'
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
  const files: Record<string, string> = {}
  for (const { name: entry, exports } of documentedOptions) {
    const folder = entry.replaceAll(/\W+/g, '-').slice(1)
    files[`${folder}/service.ts`] = `export { directoryService as default } from '${samples}'\n`
    files[`${folder}/directory.ts`] = `export { directory } from '${samples}'\n`
    for (const { name, comment } of exports)
      for (const [index, example] of examplesIn(comment).entries())
        files[`${folder}/${name}-${index}.ts`] = `${importsFor(example, sourcesFor(entry))}\n${example}\nexport {}\n`
  }
  expect(await typeErrors(files)).toBe('')
})

/** The code blocks after `@example`. */
function examplesIn(comment = ''): readonly string[] {
  return [...comment.matchAll(/^@example\n```ts\n(.*?)^```$/gms)].map(([, example = '']) => example)
}

const samples = join(import.meta.dirname, 'documentation/samples.ts')

/** The entry point of the example first, then the samples, then the packages that declarations use. */
function sourcesFor(entry: string): readonly NameSource[] {
  return [
    ...documentedOptions.filter(({ name }) => name === entry),
    { name: samples, exports: exportsOf(samples) },
    ...documentedOptions.filter(({ name }) => name === '@nomen/core' || name === '@nomen/server'),
  ]
}
