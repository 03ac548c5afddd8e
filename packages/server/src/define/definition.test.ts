import { api, DeclarationError, identity, link, noun, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { type ServiceOptions, service } from './definition.ts'
import { after } from './hook.ts'
import { rule } from './rule.ts'
import { visible } from './visibility.ts'

const note = noun('note', { id: identity(), title: text() })
const twin = noun('note', { id: identity() })
const task = noun('task', { id: identity() })
const notes = api('notes', { versioning: 'per-noun', writes: 'flat', resources: [resource(note)] })
const usual: ServiceOptions = { name: 'desk', apis: [notes] }

describe('a service', () => {
  it('knows the operations of all its apis', () => {
    expect(service(usual).operations.map(({ id }) => id)).toContain('note.list')
  })

  it.each<[string, object, string]>([
    ['an option that nobody reads', { rule: [] }, 'names "rule"'],
    ['no apis', { apis: [] }, 'has no apis'],
    ['a name that would be a path', { name: '../desk' }, 'lower kebab-case'],
    ['two apis of one name', { apis: [notes, notes] }, 'has two apis "notes"'],
    ['a rule on a noun that it does not show', { rules: [rule(task, () => undefined)] }, 'has a rule on "task"'],
    ['a hook on a noun that it does not show', { after: [after(twin, () => {})] }, 'has a hook on "note"'],
    ['a filter on a noun that it does not show', { visibility: [visible(task, () => true)] }, 'visible of "task"'],
    ['a filter on a twin of its noun', { visibility: [visible(twin, () => true)] }, 'visible of "note"'],
  ])('is refused with %s', (_, more, text) => {
    const declare = () => service({ ...usual, ...more })
    expect(declare).toThrow(DeclarationError)
    expect(declare).toThrow(text)
  })

  it.each([
    ['twice', link(note, task), link(note, task), 'two different links of "note" and "task" are declared.'],
    ['in two tables', link(note, task), link(note, task, { table: 'other' }), 'two different links'],
    ['both ways', link(note, task), link(task, note), 'linked the other way round too'],
  ])('is refused where two nouns are linked %s', (_, one, other, text) => {
    const below = (version: number, via: typeof one | typeof other) => {
      const children = [resource(task, { via })]
      return api('notes', { versioning: 'whole', version, writes: 'nested', resources: [resource(note, { children })] })
    }
    expect(() => service({ ...usual, apis: [below(1, one), below(2, one)] })).not.toThrow()
    const declare = () => service({ ...usual, apis: [below(1, one), below(2, other)] })
    expect(declare).toThrow(DeclarationError)
    expect(declare).toThrow(text)
  })

  it('is refused where two apis take one path', () => {
    const again = api('again', { versioning: 'per-noun', writes: 'flat', resources: [resource(note)] })
    expect(() => service({ ...usual, apis: [notes, again] })).toThrow('stands in the api "notes" and in "again"')
  })
})
