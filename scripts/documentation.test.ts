// The JSDoc of all public exports: each export has a comment, and each value has an example. docs/examples.test.ts compiles them.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryPoints } from './documentation/entry-points.ts'
import { examplesIn } from './documentation/examples.ts'
import { exportsOf, memberComments, type PublicExport } from './documentation/exports.ts'

const root = join(import.meta.dirname, '..')

const publicEntryPoints = entryPoints
  .filter(({ name }) => !name.endsWith('/internal'))
  .map(({ name, file }) => ({ name, exports: firstOfEach(exportsOf(file)) }))

/** Only the first of several overloads needs a comment. */
function firstOfEach(exported: readonly PublicExport[]): readonly PublicExport[] {
  return [...new Map(exported.toReversed().map((entry) => [entry.name, entry])).values()].reverse()
}

describe.each(publicEntryPoints)('$name', ({ exports }) => {
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
    ['core/src/noun/noun-option.ts', 'NounOptions'],
    ['core/src/noun/link.ts', 'LinkOptions'],
    ['core/src/resource/resource.ts', 'ResourceOptions'],
    ['core/src/resource/resource.ts', 'PageSize'],
    ['core/src/resource/operation.ts', 'OperationOptions'],
    ['core/src/api/api-option.ts', 'ApiOptions'],
    ['core/src/declaration/deprecation.ts', 'Deprecation'],
    ['core/src/field/limits.ts', 'TextLimits'],
    ['core/src/field/limits.ts', 'TextOptions'],
    ['core/src/field/limits.ts', 'DecimalLimits'],
    ['core/src/field/limits.ts', 'Range'],
    ['core/src/field/field.ts', 'Field'],
    ['server/src/define/service-options.ts', 'ServiceOptions'],
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
