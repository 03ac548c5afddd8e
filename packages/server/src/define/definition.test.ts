import { api, DeclarationError, identity, link, noun, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { service } from './definition.ts'
import { after } from './hook.ts'
import { rule } from './rule.ts'
import type { ServiceOptions } from './service-options.ts'
import { visible } from './visibility.ts'

const note = noun('note', { id: identity(), title: text() })
const twin = noun('note', { id: identity() })
const task = noun('task', { id: identity() })
const notes = api('notes', { versioning: 'per-noun', writes: 'flat', resources: [resource(note)] })
const usual: ServiceOptions = { name: 'desk', apis: [notes] }

describe('a service', () => {
  it('has the operations of all its apis', () => {
    expect(service(usual).operations.map(({ id }) => id)).toContain('note.list')
  })

  it.each<[string, object, string]>([
    ['an unknown option', { rule: [] }, 'unknown option "rule"'],
    ['no apis', { apis: [] }, 'has no apis'],
    ['a name that would be a path', { name: '../desk' }, 'kebab-case'],
    ['two apis of one name', { apis: [notes, notes] }, 'two APIs are named "notes"'],
    ['a rule on a noun that no api shows', { rules: [rule(task, () => undefined)] }, 'has a rule on "task"'],
    ['a hook on a noun that no api shows', { after: [after(twin, () => {})] }, 'has a hook on "note"'],
    ['visibility of a noun that no api shows', { visibility: [visible(task, () => true)] }, 'visible() for "task"'],
    [
      'visibility of another noun of the same name',
      { visibility: [visible(twin, () => true)] },
      'visible() for "note"',
    ],
  ])('is rejected with %s', (_, more, text) => {
    const declare = () => service({ ...usual, ...more })
    expect(declare).toThrow(DeclarationError)
    expect(declare).toThrow(text)
  })

  it.each([
    ['twice', link(note, task), link(note, task), 'two different links between "note" and "task" are declared.'],
    ['in two tables', link(note, task), link(note, task, { table: 'other' }), 'two different links'],
    ['both ways', link(note, task), link(task, note), 'also linked in the other order'],
  ])('is rejected if two nouns are linked %s', (_, first, second, text) => {
    const below = (version: number, via: typeof first | typeof second) => {
      const children = [resource(task, { via })]
      return api('notes', { versioning: 'whole', version, writes: 'nested', resources: [resource(note, { children })] })
    }
    expect(() => service({ ...usual, apis: [below(1, first), below(2, first)] })).not.toThrow()
    const declare = () => service({ ...usual, apis: [below(1, first), below(2, second)] })
    expect(declare).toThrow(DeclarationError)
    expect(declare).toThrow(text)
  })

  it('is rejected if two apis define the same path', () => {
    const again = api('again', { versioning: 'per-noun', writes: 'flat', resources: [resource(note)] })
    expect(() => service({ ...usual, apis: [notes, again] })).toThrow(
      'the APIs "notes" and "again" both define GET /note.',
    )
  })
})
